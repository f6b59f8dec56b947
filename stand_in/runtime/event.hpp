#pragma once

#include "stand_in/runtime/device.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace stand_in {

/// One recording of an event: a place in a stream, and when the stream came there.
class Recording {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Its command ran.
  void reach() {
    const std::lock_guard lock(mutex_);
    at_ = std::chrono::steady_clock::now();
  }
  void set_mark(Mark mark) {
    const std::lock_guard lock(mutex_);
    mark_ = std::move(mark);
  }
  /// Without a mark it was recorded by a graph, and has been reached.
  std::vector<Mark> marks() {
    const std::lock_guard lock(mutex_);
    return mark_.stream ? std::vector{mark_} : std::vector<Mark>{};
  }
  Time at() {
    const std::lock_guard lock(mutex_);
    return at_;
  }

 private:
  std::mutex mutex_;
  Mark mark_;
  Time at_;
};

/// An event is what it was recorded in last: a stream's work, or a place in a capture.
struct Event {
  Event(int on_device, unsigned with_flags) : device(on_device), flags(with_flags) {}

  std::shared_ptr<Recording> latest() {
    const std::lock_guard lock(mutex);
    return recording;
  }

  const int device;
  const unsigned flags;
  std::mutex mutex;  // guards what follows
  std::shared_ptr<Recording> recording;
  std::uint64_t capture = 0;    // the capture's number, or 0
  std::set<std::size_t> after;  // the capture's nodes that it stands behind
};

}  // namespace stand_in
