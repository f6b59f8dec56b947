// The device's clock: a mark is an event on the harness's stream, so marking does not make the host wait.
#pragma once

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

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

/// Marks by events on one stream. Events are made once and used again.
class EventClock {
 public:
  explicit EventClock(const Stream& stream) : stream_(stream) {}

  /// Makes the events: creating one between two marks would be in their time.
  void prepare(std::size_t marks) {
    while (events_.size() < marks) events_.push_back(std::make_unique<TimedEvent>());
  }
  std::size_t prepared() const { return events_.size(); }
  /// Waits for the whole device: work on other streams must not reach into the slot.
  static void drain() { check(cudaDeviceSynchronize()); }
  void mark() {
    prepare(used_ + 1);
    events_[used_++]->record(stream_);
  }
  std::vector<double> collect() {
    std::vector<double> seconds;
    if (used_ > 0) events_[used_ - 1]->synchronize();
    for (std::size_t i = 1; i < used_; ++i) seconds.push_back((*events_[i] - *events_[i - 1]).count());
    used_ = 0;
    return seconds;
  }
  /// CUDA's documentation gives about 0.5 us.
  static double resolution() { return 0.5e-6; }

 private:
  const Stream& stream_;
  std::vector<std::unique_ptr<TimedEvent>> events_;
  std::size_t used_ = 0;
};

}  // namespace harness::inline cuda
