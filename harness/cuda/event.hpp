#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include <chrono>

namespace harness::inline cuda {

/// Owns a CUDA event. Two types, because timing costs: Event orders work, TimedEvent also measures it.
template <unsigned flags>
class BasicEvent {
 public:
  BasicEvent() {
    cudaEvent_t raw{};
    check(cudaEventCreateWithFlags(&raw, flags));
    handle_.reset(raw);
  }
  void record(const Stream& stream) const { check(cudaEventRecord(get(), stream.get())); }
  /// Blocks the host until the work before the event has finished.
  void synchronize() const { check(cudaEventSynchronize(get())); }
  /// Makes later work of `stream` wait for the event; the host goes on.
  void hold(const Stream& stream) const { check(cudaStreamWaitEvent(stream.get(), get())); }
  cudaEvent_t get() const noexcept { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(cudaEvent_t event) const noexcept { report(cudaEventDestroy(event)); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, Destroy> handle_;
};

using Event = BasicEvent<cudaEventDisableTiming>;
using TimedEvent = BasicEvent<cudaEventDefault>;

/// The time between two recorded events; both must have finished. Resolution about 0.5 us.
inline std::chrono::duration<double> operator-(const TimedEvent& stop, const TimedEvent& start) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  return std::chrono::duration<double, std::milli>(milliseconds);
}

}  // namespace harness::inline cuda
