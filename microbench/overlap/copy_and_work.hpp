// A copy and a kernel that have nothing to do with each other, so that they may run at once; and the parts of
// "copy in, compute, copy out", for any piece of the data on any stream.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/overlap_work.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench {

/// `size` pinned bytes to copy to the device, and values of its own for a kernel that takes as long as that.
struct CopyAndWork {
  CopyAndWork(std::size_t size, std::uint64_t seed) : source(size), target(size) {
    fill_pattern(source.bytes(), seed);
  }

  void copy(cudaStream_t stream) const {
    harness::check(
        cudaMemcpyAsync(target.data(), source.data(), source.size(), cudaMemcpyHostToDevice, stream));
  }
  void work(cudaStream_t stream) const {
    harness::next_launch_takes_as_a_copy(static_cast<double>(source.size()));
    harness::check(queue_work(floats(), count, rounds_, stream));
  }

  void clear(const harness::Stream& stream) const {
    harness::check(cudaMemsetAsync(target.data(), 0xA5, target.size(), stream.get()));
    harness::check(cudaMemsetAsync(values.data(), 0, values.size(), stream.get()));
    stream.synchronize();
  }
  /// What was copied, and behind it what the kernel computed: 0 only where it did not run.
  std::vector<std::byte> answer(const harness::Stream& stream) const {
    auto bytes = read_back(target, stream);
    append(bytes, read_back(values, stream));
    return bytes;
  }

  /// The same, and behind it what lies in `more`.
  std::vector<std::byte> answer_with(const harness::DeviceBuffer& more, const harness::Stream& stream) const {
    auto bytes = answer(stream);
    append(bytes, read_back(more, stream));
    return bytes;
  }

  double copy_seconds(const harness::Stream& stream) const {
    return seconds_on(stream, [&] { copy(stream.get()); });
  }
  double work_seconds(const harness::Stream& stream) const {
    return seconds_on(stream, [&] { work(stream.get()); });
  }
  /// Gives the kernel the rounds with which it takes as long as the copy, found by timing both: once in a
  /// session for each `key`, since what is compared must not depend on when it was timed.
  void pace(harness::Setup& setup, const std::string& key) {
    rounds_ = setup.calibrated(key, [&] {
      const auto& stream = *setup.stream;
      clear(stream);  // values that are not numbers could take another time
      return work_rounds(copy_seconds(stream), floats(), count, stream);
    });
  }

  /// What share of the shorter of the two passes beside the longer one, in either form.
  template <class Naive, class Optimized>
  std::vector<harness::Figure> overlap_of(const Naive& naive, const Optimized& optimized,
                                          const harness::Stream& stream) const {
    const auto copying = copy_seconds(stream);
    const auto working = work_seconds(stream);
    return {{"overlap", "%", overlap_percent(copying, working, seconds_on(stream, naive)),
             overlap_percent(copying, working, seconds_on(stream, optimized))}};
  }

  float* floats() const { return reinterpret_cast<float*>(values.data()); }

  static constexpr std::size_t count = 1 << 18;  // some blocks for each multiprocessor of any device
  harness::PinnedBuffer source;
  harness::DeviceBuffer target;
  harness::DeviceBuffer values{count * sizeof(float)};

 private:
  int rounds_ = 1;
};

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
