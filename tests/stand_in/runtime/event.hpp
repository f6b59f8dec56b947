#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>

namespace stand_in {

/// One recording of an event: what it waits for has ended when `is_done`.
class Recording {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void set() {
    const std::lock_guard lock(mutex_);
    done_ = true;
    at_ = std::chrono::steady_clock::now();
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return done_; });
  }
  bool is_done() {
    const std::lock_guard lock(mutex_);
    return done_;
  }
  Time at() {
    const std::lock_guard lock(mutex_);
    return at_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
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
