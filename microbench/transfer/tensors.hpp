// What the steps on copies of tensors share: values to copy, many tensors on their way to the device, and
// what the copies ask of host and bus.
#pragma once

#include "harness/core/step.hpp"
#include "harness/cuda/require_device_memory.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"
#include "harness/libtorch/kineto.hpp"

#include <ATen/ATen.h>

#include <numeric>

namespace microbench {

/// Floats between 0 and 1 on the host, the same ones for the same seed.
inline at::Tensor random_values(at::IntArrayRef shape, std::uint64_t seed) {
  const auto generator = harness::host_generator(seed);
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

inline constexpr harness::Axis host_memory_axis{.name = "memory",
                                                .about = "where the tensors lie on the host",
                                                .quick = {0},
                                                .labels = {"pageable", "pinned"}};

/// Tensors of `bytes` bytes each, every one with memory of its own.
struct ManyCopies {
  ManyCopies(const harness::Setup& setup, std::int64_t tensors, std::int64_t bytes, bool pinned)
      : device(harness::torch_device(setup.device)) {
    harness::require_device_memory(static_cast<std::size_t>(tensors * bytes));
    const auto values = bytes / static_cast<std::int64_t>(sizeof(float));
    const auto all = random_values({tensors, values}, setup.seed);
    for (std::int64_t i = 0; i < tensors; ++i) {
      const auto own = all.select(0, i).clone();
      sources.push_back(pinned ? own.pin_memory() : own);
      targets.push_back(at::empty({values}, at::TensorOptions().dtype(at::kFloat).device(device)));
    }
  }

  /// Into memory that the device has given out for them now, as `.to()` does.
  void copy(bool non_blocking) {
    for (std::size_t i = 0; i < sources.size(); ++i)
      targets[i] = sources[i].to(device, at::kFloat, non_blocking);
  }
  /// Into memory that they had before.
  void copy_into(bool non_blocking) {
    for (std::size_t i = 0; i < sources.size(); ++i) targets[i].copy_(sources[i], non_blocking);
  }
  void clear() {
    for (auto& target : targets) target.fill_(-1);
  }
  harness::Answer arrived() const { return harness::numbers_of(at::stack(targets)); }

  at::Device device;
  std::vector<at::Tensor> sources;
  std::vector<at::Tensor> targets;
};

}  // namespace microbench
