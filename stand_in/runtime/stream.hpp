#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace stand_in {

class Stream;
struct Capture;

/// A place in a stream: everything that was queued so far.
struct Mark {
  std::shared_ptr<Stream> stream;
  std::uint64_t ticket = 0;
};

/// A stream's queue and the thread that works it off, in order. With a seed, commands start a while late, or
/// not before somebody waits for them: that is when a wait that is missing shows.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  struct Item {
    std::string name;
    std::function<void()> work;
    std::vector<Mark> after;    // other streams' work that must have ended before
    bool even_if_lost = false;  // also runs when the device has failed (events end what waits)
  };
  Stream(int device, unsigned flags, int priority);

  std::uint64_t push(Item item);
  /// The thread ends once the queue is empty.
  void stop();
  Mark mark();
  bool has_reached(std::uint64_t ticket);
  /// Somebody wants to know: the work up to the ticket is not held back any more.
  void demand(std::uint64_t ticket);
  void wait_for(std::uint64_t ticket);
  /// The same, but not for longer.
  void wait_for(std::uint64_t ticket, std::chrono::milliseconds longest);
  bool is_blocking() const;

  const int device;
  const unsigned flags;
  const int priority;
  const std::uint64_t id;
  Capture* capture = nullptr;  // guarded by Captures

 private:
  void work_off();
  void run(Item& item, std::uint64_t number);
  bool may_start(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable more_, done_;
  std::deque<Item> queue_;
  std::uint64_t submitted_ = 0, completed_ = 0, demanded_ = 0;
  const bool reluctant_;
  bool started_ = false, stopped_ = false;
};

}  // namespace stand_in
