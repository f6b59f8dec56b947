// What the steps on copies of tensors share: values to copy, and what the copies ask of host and bus.
#pragma once

#include "harness/core/step.hpp"
#include "harness/libtorch/kineto.hpp"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <numeric>

namespace microbench {

/// Floats between 0 and 1 on the host, the same ones for the same seed.
inline at::Tensor random_values(at::IntArrayRef shape, std::uint64_t seed) {
  const auto generator = at::detail::createCPUGenerator(seed);
  return at::rand(shape, generator, at::TensorOptions().dtype(at::kFloat));
}

/// What each form sends to the device, counted by the profiler and not assumed.
inline harness::Figure sent_to_device(const harness::Device& device, const std::function<void()>& naive,
                                      const std::function<void()>& optimized) {
  const auto kibibytes = [&](const std::function<void()>& form) {
    const auto copies = harness::count(device, form).host_to_device;
    return static_cast<double>(std::accumulate(copies.begin(), copies.end(), std::int64_t{0})) / 1024;
  };
  return {"sent to the device", "KiB", kibibytes(naive), kibibytes(optimized)};
}

}  // namespace microbench
