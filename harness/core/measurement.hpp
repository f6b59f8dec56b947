// What is to be done to a row in one round, and what was measured, or an exception in the words of the
// results file.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include <chrono>
#include <exception>

namespace harness::inline core {

/// How a device's clocks are watched; empty functions where nobody can.
struct ClockWatch {
  std::function<std::optional<std::uint64_t>()> events = {};  // bits of nvmlClocksEventReason, now
  std::function<void()> rest = {};                            // lets the device cool down
};

/// What is to be done to a row in one round.
struct RoundPlan {
  int round = 0;  // from 0
  int pairs = 1;  // crossed pairs of quads, K in docs/measuring.md 3; their median stands for the round
  std::int64_t iterations = 1;
  std::int64_t optimized_iterations = 0;  // Measurement's
  std::uint64_t seed = 0;                 // of this row in this round
  /// Before anything is timed or counted, each form runs once on each set. On a device the first run of a
  /// process takes the libraries' workspaces from LibTorch's allocator, and the second one the second block
  /// of a form that holds its last output: both would be the first form's.
  bool run_first = false;
  std::chrono::steady_clock::time_point begin = {};  // samples count their start from here
  ClockWatch clocks = {};
  std::function<std::int64_t()> faults = {};  // page faults of this process so far; empty: not watched
};

/// One timed slot. `seconds` and `cpu_seconds` are of one run of the form; `start` counts from the begin of
/// the worker process.
struct Sample {
  int round = 0;
  int pair = 0;  // crossed pairs of the round
  int quad = 0;  // 0 or 1
  int slot = 0;  // 0 to 3, by time
  Form form = Form::naive;
  int set = 0;
  double seconds = 0;
  double cpu_seconds = 0;
  double start = 0;
  std::int64_t faults = -1;        // page faults of its timed runs, all threads together; -1: not watched
  std::uint64_t clock_events = 0;  // bits of nvmlClocksEventReason before and after it; 0 without NVML
};

/// What was measured, before it is judged.
struct Measurement {
  std::int64_t iterations = 0;            // runs in a slot; 0 before the rehearsal
  std::int64_t optimized_iterations = 0;  // of the optimized form, where it has its own number; 0: the same
  int pairs = 1;  // crossed pairs in a round; may rise after a look (docs/measuring.md 5)
  std::map<std::string, int> calibrations;  // Setup's, found in the rehearsal
  Timer timer = Timer::wall;
  Statistic statistic = Statistic::median;
  std::size_t bytes_moved = 0;
  // One a round. The log ratio is ln(time(optimized) / time(naive)); set-up is making the two sets, uploads
  // included, and is not timed; switches are those that took the CPU away while the slots ran.
  std::vector<double> log_ratios;
  std::vector<double> setup_seconds;
  std::vector<std::int64_t> switches;
  std::vector<Sample> samples;
  std::vector<Figure> figures;
  int discarded = 0;  // crossed pairs taken again, since the driver had lowered the device's clocks

  std::int64_t runs_of(Form form) const {
    return form == Form::optimized && optimized_iterations > 0 ? optimized_iterations : iterations;
  }
};

struct Fault {
  bool out_of_memory = false;
  std::string sentence;  // out of memory: "needs X, Y free" as far as known
};

/// Of an exception that neither CUDA nor LibTorch has thrown.
Fault host_fault(const std::exception& error, const Device& device);

/// The first line, without the blanks and the full stop at its end.
std::string first_line(std::string text);

}  // namespace harness::inline core
