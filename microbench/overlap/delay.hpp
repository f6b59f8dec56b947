// A stream that is busy for a known time, with the rest of the device free; how much work takes so long, and
// how much of two pieces of it passes at once.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/host_time.hpp"
#include "microbench/overlap/overlap_work.hpp"

namespace microbench {

/// One part of an answer behind the other.
inline void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

/// The rounds with which queue_work over n values takes about so many seconds. Works on the values.
inline int work_rounds(double seconds, float* values, std::size_t n, const harness::Stream& stream) {
  constexpr double long_enough = 1e-3;  // for the launch not to count
  constexpr double most = 1 << 24;
  int trial = 64;
  double taken = 0;
  do {
    trial *= 4;
    taken = seconds_on(stream, [&] { harness::check(queue_work(values, n, trial, stream.get())); });
  } while (taken < long_enough && trial < 4096);
  return static_cast<int>(std::clamp(std::round(trial * seconds / taken), 1.0, most));
}

/// What share of the shorter of two things passes beside the longer one: 0 one after the other, 100 at once.
inline double overlap_percent(double one, double other, double both) {
  return 100 * (one + other - both) / std::min(one, other);
}

/// A kernel of one block that takes about so many seconds; found out once in a session.
class Delay {
 public:
  Delay(harness::Setup& setup, double seconds) : seconds_(seconds) {
    rounds_ = setup.calibrated("overlap/delay/" + std::to_string(seconds), [&] {
      clear(*setup.stream);
      return work_rounds(seconds, floats(), count, *setup.stream);
    });
    clear(*setup.stream);
  }
  void queue(const harness::Stream& stream) const {
    harness::next_launch_takes(seconds_);
    harness::check(queue_work(floats(), count, rounds_, stream.get()));
  }
  /// 0 everywhere until the kernel has run.
  const harness::DeviceBuffer& values() const { return values_; }
  void clear(const harness::Stream& stream) const {
    harness::check(cudaMemsetAsync(values_.data(), 0, values_.size(), stream.get()));
  }

 private:
  float* floats() const { return reinterpret_cast<float*>(values_.data()); }

  static constexpr std::size_t count = 256;
  harness::DeviceBuffer values_{count * sizeof(float)};
  double seconds_;
  int rounds_ = 1;
};

}  // namespace microbench
