// What the steps on copies of tensors share: values to copy, and what the copies ask of host and bus.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/step.hpp"
#include "harness/torch/counts.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>

namespace microbench {

/// Floats between 0 and 1 on the host, the same ones for the same seed.
inline at::Tensor random_values(at::IntArrayRef shape, std::uint64_t seed) {
  const auto generator = at::detail::createCPUGenerator(seed);
  return at::rand(shape, generator, at::TensorOptions().dtype(at::kFloat));
}

/// How long `run` keeps the host, from an idle device until it returns, whatever the device still has to do:
/// the median of five runs, in microseconds.
inline double host_microseconds(const std::function<void()>& run) {
  std::array<double, 5> times{};
  for (auto& time : times) {
    harness::check(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    run();
    time = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  }
  harness::check(cudaDeviceSynchronize());
  std::ranges::sort(times);
  return times[times.size() / 2];
}

inline harness::Figure host_kept(const std::function<void()>& naive, const std::function<void()>& optimized) {
  return {"host kept by the calls", "us", host_microseconds(naive), host_microseconds(optimized)};
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
