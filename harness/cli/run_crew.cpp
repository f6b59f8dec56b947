#include "harness/cli/run_crew.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <utility>

namespace harness {
namespace {

/// The share of a row's seconds that one pass takes: the rehearsal counts as a round.
double pass_seconds(const Workshop& workshop, const Results& results, const Row& row) {
  return workshop.row_seconds(row) / (1 + results.session.looks.front());
}

PassView view_of(const Workshop& workshop, const Results& results, const Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += pass_seconds(workshop, results, row);
  const int left = pass.round ? pass.look - *pass.round : pass.look + 1;
  return {.pass = workshop.title +
                  (pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal"),
          .rows = static_cast<int>(pass.rows.size()),
          .expected_left = seconds * left};
}

Assignment assignment_of(const Workshop& workshop, const Pass& pass) {
  Assignment assignment{.worker = workshop.worker,
                        .job = workshop.job,
                        .rows = pass.rows,
                        .row_timeout = workshop.row_timeout,
                        .row_timeout_text = workshop.row_timeout_text,
                        .budget = pass.budget};
  assignment.job.round = pass.round;
  return assignment;
}

}  // namespace

Crew worker_crew(const Workshop& workshop, const Results& results, RunOutput& output, SignalWatch& signals) {
  const auto run = [&](const Pass& pass, const std::function<void(Row)>& ended) {
    output.begin_pass(view_of(workshop, results, pass));
    const Reports reports{.begun = [&](const std::string& row) { output.begin_row(row); },
                          .ended =
                              [&](Row row) {
                                output.end_row(pass_seconds(workshop, results, row));
                                ended(std::move(row));
                              },
                          .said = [&](const std::string& line) { output.say(line); },
                          .stop = [&] { return output.abandoned(); }};
    const auto assignment = assignment_of(workshop, pass);
    return Foreman(assignment, reports, signals).run();
  };
  return {.run = run,
          .clock = [begin = std::chrono::steady_clock::now()]() -> Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .store = [&] { output.store(results); }};
}

}  // namespace harness
