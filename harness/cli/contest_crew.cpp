#include "harness/cli/contest_crew.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <poll.h>
#include <utility>

namespace harness {
namespace {

PassView view_of(const Camps& camps, const Turn& turn, const Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += camps.row_seconds(row);
  constexpr int launches = 4;  // of a round
  const int left = pass.round ? launches * (pass.look - *pass.round) : 2 + launches * pass.look;
  return {.pass = pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal",
          .rows = static_cast<int>(pass.rows.size()) * turn.of,
          .expected_left = seconds * left};
}

Assignment assignment_of(const Camps& camps, const Turn& turn, const Pass& pass) {
  const auto& camp = camps.sides.at(static_cast<std::size_t>(turn.side));
  Assignment assignment{.worker = camp.worker,
                        .job = camp.job,
                        .rows = pass.rows,
                        .row_timeout = camps.row_timeout,
                        .row_timeout_text = camps.row_timeout_text,
                        .budget = {}};
  assignment.job.seed = turn.seed;
  assignment.job.round = pass.round;
  return assignment;
}

/// Until the time is over or a signal comes.
std::optional<int> wait_for(Seconds time, SignalWatch& signals) {
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

GateCrew contest_crew(const Camps& camps, Progress& progress, SignalWatch& signals) {
  const auto launch = [&](const Turn& turn, const Pass& pass, const std::function<void(Row)>& ended) {
    if (turn.number == 0) progress.begin_pass(view_of(camps, turn, pass));
    const auto say = [&](const std::string& line) {
      progress.clear();
      fmt::print(stderr, "{}\n", line);
    };
    const Reports reports{.begun = [&](const std::string& row) { progress.begin_row(row); },
                          .ended =
                              [&](Row row) {
                                progress.end_row(camps.row_seconds(row));
                                ended(std::move(row));
                              },
                          .said = say,
                          .stop = [] { return false; }};
    const auto assignment = assignment_of(camps, turn, pass);
    return Foreman(assignment, reports, signals).run();
  };
  const auto wait = [&](Seconds time) {
    progress.clear();
    fmt::print(stderr,
               "tuneproof: rows look slower; in {} they are measured once more, to rule out a one-off\n",
               duration_text(time.count()));
    return wait_for(time, signals);
  };
  return {.launch = launch,
          .clock = [begin = std::chrono::steady_clock::now()]() -> Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .wait = wait};
}

}  // namespace harness
