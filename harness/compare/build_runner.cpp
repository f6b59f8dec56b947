#include "harness/compare/build.hpp"
#include "harness/run/count_instructions.hpp"
#include "harness/run/worker_runner.hpp"
#include "harness/support/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <poll.h>
#include <utility>

namespace harness::compare {
namespace {

run::PassView view_of(const BuildWorkers& build_workers, const run::ContestProcess& process,
                      const run::Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += build_workers.row_seconds(row);
  constexpr int launches = 4;  // of a round
  const int left = pass.round ? launches * (pass.look - *pass.round) : 2 + launches * pass.look;
  return {.pass = pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal",
          .rows = static_cast<int>(pass.rows.size()) * process.of,
          .expected_left = seconds * left};
}

run::WorkerPlan worker_plan_of(const BuildWorkers& build_workers, run::ContestBuild build,
                               const std::vector<results::Row>& rows) {
  const auto& build_worker = build_workers.builds.at(static_cast<std::size_t>(build));
  return {.worker = build_worker.worker,
          .task = build_worker.task,
          .rows = rows,
          .row_timeout = build_workers.row_timeout,
          .row_timeout_text = build_workers.row_timeout_text,
          .budget = {}};
}

run::WorkerPlan worker_plan_of(const BuildWorkers& build_workers, const run::ContestProcess& process,
                               const run::Pass& pass) {
  auto worker_plan = worker_plan_of(build_workers, process.build, pass.rows);
  worker_plan.task.seed = process.seed;
  worker_plan.task.round = pass.round;
  return worker_plan;
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

CountRows build_counter(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals) {
  return [&](run::ContestBuild build, const std::vector<results::Row>& rows,
             const std::function<void(results::Row)>& ended) {
    const auto say = [&](const std::string& line) {
      progress.clear();
      tell_lines(line + "\n");
    };
    const run::Reports reports{
        .begun =
            [&](const std::string& row) { say(fmt::format("counting {} in {}", row, to_string(build))); },
        .ended = ended,
        .said = say,
        .stop = [] { return false; }};
    return run::count_rows(worker_plan_of(build_workers, build, rows), reports, signals);
  };
}

GateRunner build_runner(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals) {
  const auto launch = [&](const run::ContestProcess& process, const run::Pass& pass,
                          const std::function<void(results::Row)>& ended) {
    if (process.number == 0) progress.begin_pass(view_of(build_workers, process, pass));
    const auto say = [&](const std::string& line) {
      progress.clear();
      tell_lines(line + "\n");
    };
    const run::Reports reports{.begun = [&](const std::string& row) { progress.begin_row(row); },
                               .ended =
                                   [&](results::Row row) {
                                     progress.end_row(build_workers.row_seconds(row));
                                     ended(std::move(row));
                                   },
                               .said = say,
                               .stop = [] { return false; }};
    const auto worker_plan = worker_plan_of(build_workers, process, pass);
    return run::Supervisor(worker_plan, reports, signals).run();
  };
  const auto wait = [&](run::Seconds time) {
    progress.clear();
    tell(fmt::format("some rows look slower; measuring them again in {} to rule out a one-off",
                     run::duration_text(time.count())));
    return wait_for(time, signals);
  };
  return {.launch = launch,
          .clock = [begin = std::chrono::steady_clock::now()]() -> run::Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .wait = wait};
}

}  // namespace harness::compare
