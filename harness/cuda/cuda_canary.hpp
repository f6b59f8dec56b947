// The device's canaries: fixed work on its multiprocessors, and a fixed copy across the link.
#pragma once

#include "harness/cuda/canary_kernels.hpp"
#include "harness/cuda/event.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

namespace harness::inline cuda {

/// Seconds of one call of each, by events.
struct CanaryTimes {
  double compute = 0;
  double copy = 0;  // of 16 MiB of pinned memory to the device
};

/// What the second of two runs gives: an idle device has lowered its clocks, which rise during the first.
template <class Run>
auto when_awake(Run&& run) {
  run();
  return run();
}

/// Keeps its buffers, so that a run allocates nothing. Throws CudaError.
class GpuCanary {
 public:
  explicit GpuCanary(const Stream& stream) : stream_(stream) { once(); }  // loads the kernel

  CanaryTimes run() {
    return when_awake([this] { return once(); });
  }

 private:
  CanaryTimes once() {
    start_.record(stream_);
    check(queue_canary_kernel(reinterpret_cast<float*>(out_.data()), blocks, links, stream_.get()));
    computed_.record(stream_);
    check(cudaMemcpyAsync(to_.data(), from_.data(), bytes, cudaMemcpyHostToDevice, stream_.get()));
    copied_.record(stream_);
    copied_.synchronize();
    return {(computed_ - start_).count(), (copied_ - computed_).count()};
  }

  static constexpr unsigned blocks = 1024;  // several for each multiprocessor of any device
  static constexpr int links = 200'000;     // about 1 ms, by the latency of a multiplication
  static constexpr std::size_t bytes = std::size_t{16} << 20;

  const Stream& stream_;
  DeviceBuffer out_{sizeof(float) * blocks * canary_threads};
  PinnedBuffer from_{bytes};
  DeviceBuffer to_{bytes};
  TimedEvent start_, computed_, copied_;
};

}  // namespace harness::inline cuda
