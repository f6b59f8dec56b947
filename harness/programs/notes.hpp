// What the recorder inside the watched program has written down: one file for each process, a line for each
// event.
#pragma once

#include "harness/trace/program_facts.hpp"

#include <filesystem>
#include <map>
#include <utility>

namespace harness::programs {

/// A trace of ours, whole under its final name.
struct KeptTrace {
  std::filesystem::path file;
  std::int64_t process = 0;
  std::int64_t first = 0;  // step, counted from 0
  std::int64_t steps = 0;
  std::int64_t rank = 0;
  std::int64_t ranks = 1;
  double time = 0;
  bool early = false;  // of the first steps, since no later ones came
};

/// Steps that the profiler packs, while the program waits.
struct Packing {
  std::int64_t process = 0;
  std::int64_t first = 0;
  std::int64_t steps = 0;
  double time = 0;
  bool done = false;
};

struct Notes {
  std::optional<double> torch = {};  // when a process first had imported it, in seconds since 1970
  bool stepped = false;
  bool passed_over = false;  // batches and backward passes ended no step, since there is an optimizer
  std::optional<std::int64_t> most_steps = {};  // of the processes that came to Python's exit handlers
  bool theirs = false;                          // the program has a profiler of its own
  std::vector<Packing> packing = {};
  std::vector<KeptTrace> traces = {};
  std::map<std::int64_t, trace::EpochStarts> epochs = {};  // by process, as they were when it ended
  std::map<std::pair<std::int64_t, std::int64_t>, trace::Pace> paces =
      {};  // by process and a trace's first step
  std::vector<std::filesystem::path> their_traces = {};
  std::vector<std::string> problems = {};
};

/// Reads the folder. A line that is not whole, since its process was killed, is left out.
Notes read_notes(const std::filesystem::path& folder);

}  // namespace harness::programs
