// PyTorch's own profiler (Kineto), from C++, and what a piece of work asks of the device, counted by it and
// not assumed.
#pragma once

#include "harness/core/setup.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace harness::inline libtorch {

/// True once this process has recorded anything. Kineto then stays attached to the driver, whose calls take
/// longer for the rest of the process.
bool profiler_attached();

/// One recording: made ready when it is made, as torch.profiler does when warm-up begins, then started,
/// stopped, saved. Operators of all threads with their shapes, and the device's work where it is one; no
/// stacks. One at a time. Work that throws in between costs the recording: it goes with its owner.
class Kineto {
 public:
  explicit Kineto(const Device& device);
  ~Kineto();
  Kineto(const Kineto&) = delete;
  Kineto& operator=(const Kineto&) = delete;

  void start();
  /// Waits for the device, stops, and writes the trace as plain JSON. Throws BadInput where something other
  /// than an ordinary file is in the way.
  void save(const std::string& file);

 private:
  enum class State { ready, recording, saved };
  void begin() const;

  Device device_;
  State state_ = State::ready;
};

/// Counts of one profiled run. The first three exist on a CUDA device only; the others count LibTorch's calls
/// on the host, whatever the device.
struct Counts {
  std::vector<std::int64_t> host_to_device;  // bytes of each copy, in the order of the trace
  std::vector<std::int64_t> device_to_host;
  /// Calls in which the host waits: stream and event synchronizations and blocking copies. Waiting for the
  /// whole device is left out: that is what the profiler does at its end, and no operator of LibTorch.
  std::int64_t synchronizations = 0;

  std::int64_t operators = 0;     // calls of ATen operators, nested ones too
  std::int64_t copies = 0;        // aten::copy_, wherever from and to
  std::int64_t copied_bytes = 0;  // that it wrote
};

/// Counts the events of a trace as Kineto exports it.
Counts counts_of(const nlohmann::json& trace);

/// Runs `work` once under the profiler. Its times mean nothing: the profiler is on. Not to be nested.
/// Throws what `work` throws, and std::runtime_error where the trace cannot be written and read.
Counts count(const Device& device, const std::function<void()>& work);

}  // namespace harness::inline libtorch
