#include "harness/run/worker_runner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>
#include <utility>

namespace harness::run {
namespace {

/// The share of a row's seconds that one pass takes: the rehearsal counts as a round.
double pass_seconds(const WorkerSetup& worker_setup, const results::Results& results,
                    const results::Row& row) {
  return worker_setup.row_seconds(row) / (1 + results.session.looks.front());
}

PassView view_of(const WorkerSetup& worker_setup, const results::Results& results, const Pass& pass) {
  double seconds = 0;
  for (const auto& row : pass.rows) seconds += pass_seconds(worker_setup, results, row);
  const int left = pass.round ? pass.look - *pass.round : pass.look + 1;
  return {.pass = worker_setup.title +
                  (pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "rehearsal"),
          .rows = static_cast<int>(pass.rows.size()),
          .expected_left = seconds * left};
}

Assignment assignment_of(const WorkerSetup& worker_setup, const Pass& pass) {
  Assignment assignment{.worker = worker_setup.worker,
                        .job = worker_setup.job,
                        .rows = pass.rows,
                        .row_timeout = worker_setup.row_timeout,
                        .row_timeout_text = worker_setup.row_timeout_text,
                        .budget = pass.budget};
  assignment.job.round = pass.round;
  return assignment;
}

}  // namespace

Runner worker_runner(const WorkerSetup& worker_setup, const results::Results& results, RunOutput& output,
                     SignalWatch& signals) {
  const auto run = [&](const Pass& pass, const std::function<void(results::Row)>& ended) {
    output.begin_pass(view_of(worker_setup, results, pass));
    const Reports reports{.begun = [&](const std::string& row) { output.begin_row(row); },
                          .ended =
                              [&](results::Row row) {
                                output.end_row(pass_seconds(worker_setup, results, row));
                                ended(std::move(row));
                              },
                          .said = [&](const std::string& line) { output.say(line); },
                          .stop = [&] { return output.abandoned(); }};
    const auto assignment = assignment_of(worker_setup, pass);
    return Supervisor(assignment, reports, signals).run();
  };
  return {.run = run,
          .clock = [begin = std::chrono::steady_clock::now()]() -> Seconds {
            return std::chrono::steady_clock::now() - begin;
          },
          .store = [&] { output.store(results); }};
}

}  // namespace harness::run
