#include "harness/compare/build_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <poll.h>
#include <utility>

namespace harness::compare {
namespace {

run::PassView view_of(const BuildWorkers& build_workers, const run::Turn& turn, const run::Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += build_workers.row_seconds(row);
  constexpr int launches = 4;  // of a round
  const int left = pass.round ? launches * (pass.look - *pass.round) : 2 + launches * pass.look;
  return {.pass = pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal",
          .rows = static_cast<int>(pass.rows.size()) * turn.of,
          .expected_left = seconds * left};
}

run::Assignment assignment_of(const BuildWorkers& build_workers, const run::Turn& turn,
                              const run::Pass& pass) {
  const auto& build_worker = build_workers.sides.at(static_cast<std::size_t>(turn.side));
  run::Assignment assignment{.worker = build_worker.worker,
                             .job = build_worker.job,
                             .rows = pass.rows,
                             .row_timeout = build_workers.row_timeout,
                             .row_timeout_text = build_workers.row_timeout_text,
                             .budget = {}};
  assignment.job.seed = turn.seed;
  assignment.job.round = pass.round;
  return assignment;
}

/// Until the time is over or a signal comes.
std::optional<int> wait_for(run::Seconds time, SignalWatch& signals) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (;;) {
    if (const auto signal = signals.take()) return signal;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd watched{signals.fd(), POLLIN, 0};
    poll(&watched, 1, static_cast<int>(std::min<long>(left.count() + 1, 60'000)));
  }
}

}  // namespace

GateRunner build_runner(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals) {
  const auto launch = [&](const run::Turn& turn, const run::Pass& pass,
                          const std::function<void(results::Row)>& ended) {
    if (turn.number == 0) progress.begin_pass(view_of(build_workers, turn, pass));
    const auto say = [&](const std::string& line) {
      progress.clear();
      fmt::print(stderr, "{}\n", line);
    };
    const run::Reports reports{.begun = [&](const std::string& row) { progress.begin_row(row); },
                               .ended =
                                   [&](results::Row row) {
                                     progress.end_row(build_workers.row_seconds(row));
                                     ended(std::move(row));
                                   },
                               .said = say,
                               .stop = [] { return false; }};
    const auto assignment = assignment_of(build_workers, turn, pass);
    return run::Supervisor(assignment, reports, signals).run();
  };
  const auto wait = [&](run::Seconds time) {
    progress.clear();
    fmt::print(stderr, "tuneproof: some rows look slower; measuring them again in {} to rule out a one-off\n",
               run::duration_text(time.count()));
    return wait_for(time, signals);
  };
  return {.launch = launch,
          .clock = [begin = std::chrono::steady_clock::now()]() -> run::Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .wait = wait};
}

}  // namespace harness::compare
