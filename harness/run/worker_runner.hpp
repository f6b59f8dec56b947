// Starts workers: one that measures rows, one that prints what is here, and one that counts instructions:
// `run --count instructions` after the rounds, `compare --count instructions` of two programs.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/results/results.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/signals.hpp"

namespace harness::run {

/// What the worker prints for `--probe`: one JSON object, see harness/machine/probe.hpp. Throws BadInput, one
/// sentence that says what to do, where the worker is missing, finds no LibTorch, dies or does not answer.
std::string ask_probe(const std::filesystem::path& worker, const Device& device);

/// What the worker prints for `--selftest-catalogue`: the pairs, as the text that parse_catalogue reads.
/// Throws as above.
std::string ask_selftest_pairs(const std::filesystem::path& worker);

/// What the worker prints for `--catalogue`. Throws BadInput as above.
std::string ask_catalogue(const std::filesystem::path& worker);

/// The environment of every worker: Kineto stays silent without a GPU, and libraries that start threads
/// before LibTorch gets a number start as many.
std::vector<std::string> worker_environment(int threads);

/// What every pass of a session has in common.
struct WorkerSetup {
  WorkerPlan plan;         // with the memory of the session, without round and rows
  std::string title = {};  // before "round 3/14" in the progress
  /// The guess of what a row takes in all, rehearsal and rounds up to the first look.
  std::function<double(const results::Row&)> row_seconds;
};

/// A runner of worker processes that shows its progress and stores `results`; all four must outlive it.
Runner worker_runner(const WorkerSetup& worker_setup, const results::Results& results, RunOutput& output,
                     SignalWatch& signals);

/// Runs the plan's rows in a process that counts their instructions: by the kernel's counter, else under
/// valgrind. Says by `reports` how, or why it cannot. Returns the signal that ended it early.
std::optional<int> count_rows(WorkerPlan worker_plan, const Reports& reports, SignalWatch& signals);

/// Adds the figure "instructions" to the rows on the host, as far as they can be counted; says why others
/// cannot. By the kernel's counter, else under valgrind, where the processes take some 50 times as long. Rows
/// keep their verdicts whatever happens here. It may take as long as `limits` say, and says what it has left
/// out. Returns the signal that ended it early.
std::optional<int> count_instructions(results::Results& results, const WorkerSetup& workers,
                                      const Limits& limits, RunOutput& output, SignalWatch& signals);

}  // namespace harness::run
