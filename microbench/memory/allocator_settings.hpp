// LibTorch's allocator of device memory under other settings, and what it has asked of the driver.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/memory/varying_lengths.hpp"

#include <ATen/ATen.h>
#include <c10/core/AllocatorConfig.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <utility>

namespace microbench {

/// The allocator under `settings` (as in PYTORCH_CUDA_ALLOC_CONF) while it lives. Settings are the process's,
/// and text that does not name one leaves it as it is: `defaults` names each again.
class AllocatorSettings {
 public:
  AllocatorSettings(const std::string& settings, std::string defaults)
      : before_(c10::CachingAllocator::getAllocatorSettings()), defaults_(std::move(defaults)) {
    c10::CachingAllocator::setAllocatorSettings(settings);
  }
  AllocatorSettings(const AllocatorSettings&) = delete;
  AllocatorSettings& operator=(const AllocatorSettings&) = delete;
  ~AllocatorSettings() {
    c10::CachingAllocator::setAllocatorSettings(defaults_);
    if (!before_.empty()) c10::CachingAllocator::setAllocatorSettings(before_);
  }

 private:
  std::string before_;
  std::string defaults_;
};

/// How many segments LibTorch's allocator asks of the driver (cudaMalloc) during `run`.
inline double segments_asked_for(const harness::Device& device, const std::function<void()>& run) {
  const auto asked = [index = static_cast<c10::DeviceIndex>(device.index)] {
    return static_cast<double>(c10::cuda::CUDACachingAllocator::getDeviceStats(index).num_device_alloc);
  };
  const auto before = asked();
  run();
  return asked() - before;
}

/// A block of so many bytes, of which only the first is written: steps measure how the allocator gets the
/// block.
inline at::Tensor marked_block(std::int64_t bytes, const at::TensorOptions& options) {
  auto block = at::empty({bytes}, options);
  block.narrow(0, 0, 1).fill_(1);
  return block;
}

/// Of both forms, as a figure beside the times.
inline harness::Figure segments_figure(const harness::Device& device, const std::function<void()>& naive,
                                       const std::function<void()>& optimized) {
  return {"segments of the driver's", "calls", segments_asked_for(device, naive),
          segments_asked_for(device, optimized)};
}

/// The same work under two settings, judged by the first figure. Both forms add what they saw to `total`.
inline harness::Trial allocator_trial(const at::Tensor& total, const std::function<void()>& naive,
                                      const std::function<void()>& optimized,
                                      const std::function<std::vector<harness::Figure>()>& figures) {
  return {.naive = naive,
          .optimized = optimized,
          .clear = [total] { total.fill_(0); },
          .answer = [total](harness::Form) { return harness::numbers_of(total); },
          .figures = figures,
          .statistic = harness::Statistic::figure};
}

/// Judged by how often a run asks the driver for a segment.
inline harness::Trial driver_calls_trial(const harness::Device& device, const at::Tensor& total,
                                         const std::function<void()>& naive,
                                         const std::function<void()>& optimized) {
  return allocator_trial(total, naive, optimized, [=]() -> std::vector<harness::Figure> {
    return {segments_figure(device, naive, optimized), reserved_figure(device, naive, optimized)};
  });
}

}  // namespace microbench
