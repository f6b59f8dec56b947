// A chain of short kernels, each of which has to wait for the one before.
#pragma once

#include "harness/cuda/stream.hpp"

#include "microbench/short_kernels.hpp"
#include "microbench/values.hpp"

namespace microbench {

/// Adds 1 to every value, `kernels` times, with as many launches.
struct Chain {
  at::Tensor values;
  std::int64_t kernels = 1;

  /// The first run loads the kernel, which a capture should find loaded.
  Chain(const harness::Setup& setup, std::int64_t n, std::int64_t count)
      : values(at::zeros({n}, floats_on(setup.device))), kernels(count) {
    queue(*setup.stream);
  }
  void queue(const harness::Stream& stream) const {
    auto* data = values.data_ptr<float>();
    const auto n = static_cast<std::size_t>(values.numel());
    for (std::int64_t i = 0; i < kernels; ++i) harness::check(queue_increment(data, n, stream.get()));
  }
};

}  // namespace microbench
