// A stream that is busy for a known time, with the rest of the device free.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/overlap/overlap_work.hpp"
#include "microbench/overlap/pace.hpp"

namespace microbench {

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
