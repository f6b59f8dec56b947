// Training on inputs of varying length, and the state of LibTorch's cache of device memory.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include <ATen/core/Tensor.h>

namespace microbench {

/// Layers over as many rows of input as a step has. The weights stay as they are: what is measured is memory.
class VaryingLengths {
 public:
  VaryingLengths(const harness::Device& device, std::uint64_t seed, std::int64_t most_rows);

  /// Forward and backward over the first `rows` rows; adds the loss to `total`. The gradients are dropped.
  void step(std::int64_t rows);
  /// The same without a trace: what is reserved stays.
  void rehearse(std::int64_t rows) { pass(rows); }

  /// About the most that one step holds.
  static std::size_t bytes(std::int64_t rows);

  at::Tensor total;  // one number

 private:
  at::Tensor pass(std::int64_t rows);

  at::Tensor input_;
  at::Tensor weights_;  // of all layers
};

/// Gives LibTorch's unused device memory back to the driver; nothing on the host.
void empty_cache(const harness::Device& device);

/// The most MiB that LibTorch's cache of the device held during `run`, used or not.
double reserved_peak(const harness::Device& device, const std::function<void()>& run);

/// Of both forms, as a figure beside the times.
inline harness::Figure reserved_figure(const harness::Device& device, const std::function<void()>& naive,
                                       const std::function<void()>& optimized) {
  return {"reserved at the peak", "MiB", reserved_peak(device, naive), reserved_peak(device, optimized)};
}

/// The most MiB that were in use.
double allocated_peak(const harness::Device& device, const std::function<void()>& run);

}  // namespace microbench
