// Many tensors on their way to the device, for the steps on copies that do not wait.
#pragma once

#include "harness/cuda/require_device_memory.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/transfer/tensors.hpp"

namespace microbench {

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
