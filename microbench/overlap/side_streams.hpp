// Streams beside the timed one, tied to it at both ends; and streams of the kind that a program gets unless
// it asks for another: bound to the legacy default stream.
#pragma once

#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include <array>
#include <optional>

namespace microbench {

/// Streams that begin where the timed one stands and that it waits for in the end, so that the time between
/// two marks holds their work as well.
class SideStreams {
 public:
  explicit SideStreams(std::size_t count) : streams_(count), joins_(count) {}
  std::size_t size() const { return streams_.size(); }
  const harness::Stream& operator[](std::size_t i) const { return streams_[i]; }

  /// What the streams do from here on comes after what `timed` was given so far.
  void fork(const harness::Stream& timed) const {
    fork_.record(timed);
    for (const auto& stream : streams_) fork_.hold(stream);
  }
  /// What `timed` does from here on comes after what the streams were given so far.
  void join(const harness::Stream& timed) const {
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      joins_[i].record(streams_[i]);
      joins_[i].hold(timed);
    }
  }

 private:
  harness::Event fork_;
  std::vector<harness::Stream> streams_;
  std::vector<harness::Event> joins_;
};

/// Two streams made with the given flags (harness::Stream is always non-blocking), tied to the timed one like
/// SideStreams. A third stream that is not owned, such as the default one, may be tied with them.
class RawStreams {
 public:
  explicit RawStreams(unsigned flags) {
    for (auto& stream : streams_) {
      cudaStream_t raw{};
      harness::check(cudaStreamCreateWithFlags(&raw, flags));
      stream.reset(raw);
    }
  }
  cudaStream_t operator[](std::size_t i) const { return streams_[i].get(); }

  void fork(const harness::Stream& timed, std::optional<cudaStream_t> third = {}) const {
    fork_.record(timed);
    for (const auto& stream : streams_) harness::check(cudaStreamWaitEvent(stream.get(), fork_.get()));
    if (third) harness::check(cudaStreamWaitEvent(*third, fork_.get()));
  }
  void join(const harness::Stream& timed, std::optional<cudaStream_t> third = {}) const {
    for (std::size_t i = 0; i < streams_.size(); ++i) join_one(joins_[i], streams_[i].get(), timed);
    if (third) join_one(joins_.back(), *third, timed);
  }

 private:
  static void join_one(const harness::Event& event, cudaStream_t from, const harness::Stream& timed) {
    harness::check(cudaEventRecord(event.get(), from));
    event.hold(timed);
  }
  struct Destroy {
    void operator()(cudaStream_t stream) const noexcept { harness::report(cudaStreamDestroy(stream)); }
  };
  std::array<std::unique_ptr<std::remove_pointer_t<cudaStream_t>, Destroy>, 2> streams_;
  harness::Event fork_;
  std::array<harness::Event, 3> joins_;
};

}  // namespace microbench
