// The parts of "copy in, compute, copy out", for any piece of the data on any stream.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/overlap/overlap_work.hpp"
#include "microbench/overlap/pace.hpp"

namespace microbench {

/// A piece of the data, in bytes.
struct Piece {
  std::size_t at = 0;
  std::size_t size = 0;
};

/// Pinned memory on both sides of a device buffer of `size` bytes, and a kernel between that hardly computes
/// until it is balanced.
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
    const auto count = p.size / sizeof(float);
    if (share > 0)
      harness::next_launch_takes_as_a_copy(share * static_cast<double>(p.size));
    else
      say_work(count, rounds);
    harness::check(queue_work(values, count, rounds, stream.get()));
  }
  void copy_out(Piece p, const harness::Stream& stream) const {
    harness::check(cudaMemcpyAsync(out.data() + p.at, device.data() + p.at, p.size, cudaMemcpyDeviceToHost,
                                   stream.get()));
  }

  harness::PinnedBuffer in;
  harness::PinnedBuffer out;
  harness::DeviceBuffer device;
  int rounds = 1;
  double share = 0;  // of the copy in, that the kernel takes: 0 where it was not balanced
};

/// The rounds with which the kernel takes about as long as the copy in; found by timing both.
inline int rounds_of_copy_in(Pipeline& pipeline, const harness::Stream& stream) {
  constexpr int trial = 256;
  constexpr double most = 65536;
  const Piece all{0, pipeline.in.size()};
  pipeline.rounds = trial;
  const auto copying = seconds_on(stream, [&] { pipeline.copy_in(all, stream); });
  const auto computing = seconds_on(stream, [&] { pipeline.compute(all, stream); });
  return static_cast<int>(std::clamp(std::round(trial * copying / computing), 1.0, most));
}

/// Makes the kernel take about as long as the copy in, times `share`: found out once in a session for each
/// `key`, since what is compared must not depend on when it was timed.
inline void balance(Pipeline& pipeline, harness::Setup& setup, const std::string& key, double share = 1) {
  const auto balanced = setup.calibrated(key, [&] { return rounds_of_copy_in(pipeline, *setup.stream); });
  pipeline.rounds = std::max(1, static_cast<int>(share * balanced));
  pipeline.share = share;
}

}  // namespace microbench
