// The modes of a worker. It knows no step: the table comes from the program that has them.
#pragma once

#include "harness/core/step.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/worker/surroundings.hpp"

namespace harness::worker {

/// `--measure`: reads a Task from standard input, writes events to descriptor 3. Returns the exit code.
int measure_mode(Steps steps, const Ground& ground);

/// `--probe [cuda:N]`: one line of JSON about the devices and LibTorch on standard output.
int probe_mode(const Device& device, const BuildInfo& build, const Ground& ground);

}  // namespace harness::worker
