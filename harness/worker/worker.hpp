// The modes of tuneproof-worker. It knows no step: the table comes from worker.cpp.
#pragma once

#include "harness/core/step.hpp"
#include "harness/machine/build_info.hpp"

namespace harness::worker {

/// `--measure`: reads a Job from standard input, writes events to descriptor 3. Returns the exit code.
int measure_mode(Steps steps);

/// `--probe [cuda:N]`: one line of JSON about the device and LibTorch on standard output.
int probe_mode(const Device& device, const BuildInfo& build);

}  // namespace harness::worker
