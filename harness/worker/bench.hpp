// What a worker process keeps while it measures one row after the other.
#pragma once

#include "harness/machine/instructions.hpp"
#include "harness/machine/numa.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/run/task.hpp"
#include "harness/worker/surroundings.hpp"

namespace harness::worker {

/// What the rows run on, what steps may ask for, and the device's clocks.
struct Bench {
  Bench(const run::Task& task, const Ground& ground);
  std::unique_ptr<Surroundings> around;
  Setup setup;
  std::chrono::steady_clock::time_point begin;
  InstructionCount* instructions = nullptr;  // where the task counts them
  std::optional<ClockEvents> clocks;         // of the device of the first CUDA row; a task has one device
  /// What the last row left behind may spoil the next one, so that the process should end: a form has thrown
  /// on a device (in a graph's capture perhaps), the device was lost, or the profiler stays attached to the
  /// driver.
  bool in_doubt = false;

  /// From the first time on that it is asked for.
  const ClockEvents& clocks_of(const Device& device);
  /// Keeps the calling thread on the device's NUMA node while it lives: copies would start on either node.
  /// Null for the host, and where the machine has one node.
  std::unique_ptr<const StayOn> stay_near(const Device& device) const;
};

}  // namespace harness::worker
