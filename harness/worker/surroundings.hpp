// What rows run on: here the host alone. harness/cuda adds CUDA devices, harness/libtorch LibTorch. What a
// worker process keeps while it measures one row after the other, and its side of the pipes to its parent.
#pragma once

#include "harness/core/measure.hpp"
#include "harness/core/measurement.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/machine/numa.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/results/row.hpp"
#include "harness/run/select.hpp"
#include "harness/run/task.hpp"
#include "harness/support/child.hpp"
#include "harness/support/field.hpp"

namespace harness::worker {

/// Called while a row is profiled: how many of its passes through the schedule are done.
using Walked = std::function<void(int done, int of)>;

/// What is asked of two sets: the rehearsal, or the round of a plan.
struct Order {
  const Tolerance& tolerance;
  const RoundPlan* plan = nullptr;
};

template <Clock C>
Measurement carry_out(const Order& order, C clock, const std::array<Trial, 2>& sets) {
  Measurer measurer(clock, sets);
  return order.plan != nullptr ? measurer.take_round(*order.plan) : measurer.rehearse(order.tolerance);
}

/// Seconds of one run of a device's canaries.
struct DeviceCanary {
  double compute = 0;
  double copy = 0;
};

/// Of one worker process.
class Surroundings {
 public:
  virtual ~Surroundings() = default;

  /// The stream that events time, current for LibTorch as well; null for the host.
  virtual const Stream* stream_for(const Device& device);
  /// Waits until the device has done its work; throws where some of it failed.
  virtual void finish(const Device& device);
  /// Gives back what is kept for later, so that a row starts like the first.
  virtual void release_memory() {}
  /// Memory of random length that nobody uses: it moves what is allocated next.
  virtual std::shared_ptr<const void> spacer(const Device& device, Random& random);
  /// One set of the row, on all of its ranks.
  virtual Trial prepare(const run::StepAt& found, Setup& setup);
  virtual Fault fault_of(const std::exception& error, const Device& device);
  virtual Measurement measure(const std::array<Trial, 2>& sets, const Setup& setup, const Order& order);
  /// Adds what the calling thread does on host tensors to the file `calls`, a line of JSON each, while the
  /// result lives; null where nobody sees it.
  virtual std::shared_ptr<const void> watch_host(const std::string& calls);
  /// A range of that name for a profiler of the device, open while it lives; null where there is none.
  virtual std::shared_ptr<const void> range(const std::string& name);
  /// As cudaDeviceGetPCIBusId gives it.
  virtual std::string bus_id(const Device& device);
  /// Keeps its buffers on the device that the stream is of.
  virtual std::function<DeviceCanary()> canary(const Stream& stream);
  /// True once a profiler stays attached to the driver, whose calls take longer from then on.
  virtual bool profiler_attached() { return false; }
  /// Shows that the forms agree, then takes each through the schedule three times from a cleared start:
  /// without the profiler, with it, and without it again. Leaves plain JSON traces in the plan's folder and
  /// fills in `row.profile`, figures excepted. Throws what the step throws.
  virtual void profile(results::Row& row, const run::StepAt& found, Setup& setup,
                       const run::ProfilePlan& plan, const Walked& walked);
};

/// What a worker is built with.
struct Ground {
  /// With so many threads.
  std::unique_ptr<Surroundings> (*open)(int threads);
  /// What `--probe` tells of devices and LibTorch: harness/machine/probe.hpp.
  Json (*facts)(const Device& device, const BuildInfo& build);
};

/// Neither CUDA nor LibTorch.
Ground host_ground();

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

/// Keeps the descriptor of events from what a step starts: it must not hold the pipe open, nor write to it.
/// False, and a sentence on standard error, where there is none: nobody started this program as a worker.
bool keep_events_to_ourselves();

/// Writes the line to the parent. Throws std::system_error where it is gone.
void tell_parent(const std::string& line);

/// Ends this process with its parent, where the last arguments are `--parent PID`: a worker that is only
/// asked a question gets them.
void die_with_parent(int& argc, char** argv);

/// Ends the process, as it ended well. Neither LibTorch's threads nor CUDA's teardown, which throws on a lost
/// device, may spoil what has been reported: an exit code would be held against the next row.
[[noreturn]] void leave();

}  // namespace harness::worker
