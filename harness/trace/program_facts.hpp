// What the recorder of `tuneproof watch` knew of the program, and wrote into the trace beside its events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness::trace {

/// The DataLoader that gave the batches. Times are seconds a batch; 0: not measured.
struct LoaderFacts {
  std::int64_t workers = 0;
  std::int64_t batch = 0;    // samples; 0: not known
  std::int64_t threads = 0;  // of each worker; 0: not known
  double load_s = 0;         // in a worker, without its waits for a CPU
  double cpu_s = 0;
  std::string start = {};  // "fork", "spawn", "forkserver"
};

/// Workers that were started anew in each epoch.
struct EpochStarts {
  std::int64_t starts = 0;
  double each_s = 0;  // the first step's time beyond that of the others
  double share = 0;   // of the run so far
};

/// The steps that followed the recorded ones until the program ended, timed without a profiler.
struct Pace {
  std::int64_t steps = 0;
  double seconds = 0;
  std::int64_t long_steps = 0;  // of these, those that took much longer than a recorded one
  double long_seconds = 0;
  std::int64_t apart = 0;  // steps from one long step to the next, at most
};

/// Denormal numbers among others.
struct Denormals {
  std::string where;  // "weights", "gradients", "optimizer state", "outputs of modules"
  double share = 0;   // the largest of all places
};

/// Of a trace that the recorder did not write, or where it could not tell, a member is empty or 0.
struct ProgramFacts {
  bool known = false;
  std::int64_t cpus = 0;
  std::int64_t threads = 0;  // of torch
  double used_cpus = 0;      // on average, by the training process
  double held_back = 0;  // share of the time, at least, in which its thread waited for CPUs of other programs
  std::string autocast = {};  // "bfloat16"
  std::optional<bool> bf16_unit = {}, fp16_unit = {};
  std::optional<Denormals> denormals = {};
  double fp64 = 0;                         // share of the weights
  std::int64_t parameters = 0, numel = 0;  // tensors that are trained, and numbers of each on average
  std::int64_t calls = 0, rows = 0;  // of the module that is called most: in a step, and with how many rows
  bool chained = false;              // one of these calls needs what another returned
  std::optional<LoaderFacts> loader = {};
  std::optional<EpochStarts> epochs = {};
  std::vector<std::int64_t> epoch_steps = {};  // recorded steps in which an epoch began
  std::vector<std::string> packages = {};      // top-level names of installed Python packages, in order
  std::optional<Pace> pace = {};               // known once the program has ended
  std::optional<std::int64_t> cut_off = {};    // the step in which the program ended

  /// True if the processor computes in the type of autocast itself; nothing where that is not known.
  std::optional<bool> autocast_unit() const;
};

/// Reads them from JSON. What is missing or of the wrong type stays empty.
ProgramFacts program_facts(std::string_view json);
/// What the recorder knew of its epochs when the program ended; nothing where it had seen no two.
std::optional<EpochStarts> epoch_starts(std::string_view json);
/// Reads how long the steps behind a recording took; nothing where there were none.
std::optional<Pace> pace(std::string_view json);

}  // namespace harness::trace
