// The parts of "copy in, compute, copy out", for any piece of the data on any stream.
#pragma once

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/overlap/pace.hpp"
#include "microbench/overlap/work.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>

namespace microbench {

/// A piece of the data, in bytes.
struct Piece {
  std::size_t at = 0;
  std::size_t size = 0;
};

/// Pinned memory on both sides of a device buffer of `size` bytes, and a kernel of `rounds` rounds between.
struct Pipeline {
  explicit Pipeline(std::size_t size) : in(size), out(size), device(size) {
    const auto values = in.bytes();
    for (std::size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
      const auto value = static_cast<float>(i % 1'000'003) / 1'000'003.0F;  // no two chunks are alike
      std::memcpy(values.data() + i, &value, sizeof value);
    }
  }

  void copy_in(Piece p, const harness::Stream& stream) const {
    harness::check(cudaMemcpyAsync(device.data() + p.at, in.data() + p.at, p.size, cudaMemcpyHostToDevice,
                                   stream.get()));
  }
  void compute(Piece p, const harness::Stream& stream) const {
    auto* values = reinterpret_cast<float*>(device.data() + p.at);
    harness::check(queue_work(values, p.size / sizeof(float), rounds, stream.get()));
  }
  void copy_out(Piece p, const harness::Stream& stream) const {
    harness::check(cudaMemcpyAsync(out.data() + p.at, device.data() + p.at, p.size, cudaMemcpyDeviceToHost,
                                   stream.get()));
  }

  harness::PinnedBuffer in;
  harness::PinnedBuffer out;
  harness::DeviceBuffer device;
  int rounds = 1;
};

/// The rounds with which the kernel takes about as long as the copy in; found by timing both.
inline int balanced_rounds(Pipeline& pipeline, const harness::Stream& stream) {
  constexpr int trial = 256;
  constexpr double most = 65536;
  const Piece all{0, pipeline.in.size()};
  pipeline.rounds = trial;
  const auto copying = seconds_on(stream, [&] { pipeline.copy_in(all, stream); });
  const auto computing = seconds_on(stream, [&] { pipeline.compute(all, stream); });
  return static_cast<int>(std::clamp(std::round(trial * copying / computing), 1.0, most));
}

}  // namespace microbench
