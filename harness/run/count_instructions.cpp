#include "harness/run/count_instructions.hpp"

#include "harness/core/counts.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/support/run_program.hpp"
#include "harness/support/scratch_folder.hpp"

#include <fmt/format.h>

namespace harness::run {
namespace {

constexpr double callgrind_slowdown = 60;

std::vector<results::Row> counted_rows(const results::Results& results) {
  std::vector<results::Row> rows;
  for (const auto& row : results.rows)
    if (!results::is_error(row) && !row.device.is_cuda() && row.rounds > 0) rows.push_back(place_of(row));
  return rows;
}

/// The worker under callgrind.
Command under_valgrind(const Command& worker, const std::filesystem::path& valgrind,
                       const std::filesystem::path& folder) {
  auto command = worker;
  command.program = valgrind;
  command.arguments = callgrind_options(folder);
  command.arguments.push_back(worker.program.string());
  command.arguments.insert(command.arguments.end(), worker.arguments.begin(), worker.arguments.end());
  return command;
}

void take_over(results::Results& results, const results::Row& counted, RunOutput& output) {
  if (results::is_error(counted))
    return output.say(fmt::format("instructions of {}: {}", counted.name, counted.reason));
  const auto row = std::ranges::find(results.rows, counted.name, &results::Row::name);
  if (row == results.rows.end()) return;
  auto& figures = row->measured.figures;
  std::erase_if(figures, [](const Figure& figure) { return figure.unit == instructions_unit; });
  for (const auto& figure : counted.measured.figures)
    if (figure.unit == instructions_unit) figures.push_back(figure);
}

}  // namespace

std::optional<int> count_rows(WorkerPlan worker_plan, const Reports& reports, SignalWatch& signals) {
  const ScratchFolder scratch(temporary_folder());
  auto& count = worker_plan.task.count.emplace();
  if (const auto reason = why_no_counter(); !reason.empty()) {
    const auto valgrind = find_program("valgrind");
    if (valgrind.empty()) {
      reports.said(fmt::format("tuneproof: instructions cannot be counted: {}, and valgrind is not installed",
                               reason));
      return std::nullopt;
    }
    const auto rows = worker_plan.rows.size();
    reports.said(fmt::format("counting instructions of {} row{} under valgrind ({})", rows,
                             rows == 1 ? "" : "s", reason));
    worker_plan.worker = under_valgrind(worker_plan.worker, valgrind, scratch.path());
    worker_plan.row_timeout *= callgrind_slowdown;
    count = scratch.path().string();
  }
  return Supervisor(worker_plan, reports, signals).run().signal;
}

std::optional<int> count_instructions(results::Results& results, const WorkerSetup& workers,
                                      const Limits& limits, RunOutput& output, SignalWatch& signals) {
  WorkerPlan worker_plan{.worker = workers.worker,
                         .task = workers.task,
                         .rows = counted_rows(results),
                         .row_timeout = workers.row_timeout,
                         .row_timeout_text = workers.row_timeout_text,
                         .budget = limits.budget};
  if (worker_plan.rows.empty()) return std::nullopt;
  const auto begin = std::chrono::steady_clock::now();
  auto left = worker_plan.rows.size();
  const Reports reports{.begun = [&](const std::string& row) { output.say("counting " + row); },
                        .ended =
                            [&](results::Row row) {
                              --left;
                              take_over(results, row, output);
                            },
                        .said = [&](const std::string& line) { output.say(line); },
                        .stop = [&] { return output.abandoned(); }};
  const auto signal = count_rows(std::move(worker_plan), reports, signals);
  const bool out_of_time = limits.budget && std::chrono::steady_clock::now() - begin >= *limits.budget;
  if (left > 0 && out_of_time && !signal) output.say(left_out_text("counted", left, limits));
  output.store(results);
  return signal;
}

}  // namespace harness::run
