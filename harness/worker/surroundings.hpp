// What rows run on: here the host alone. harness/cuda adds CUDA devices, harness/libtorch LibTorch.
#pragma once

#include "harness/core/fault.hpp"
#include "harness/core/measure.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/results/row.hpp"
#include "harness/run/find_row.hpp"
#include "harness/run/task.hpp"
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

}  // namespace harness::worker
