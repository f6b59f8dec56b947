// What a piece of work asks of the device, counted by PyTorch's own profiler (Kineto) and not assumed.
#pragma once

#include "harness/core/setup.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace harness::inline libtorch {

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
