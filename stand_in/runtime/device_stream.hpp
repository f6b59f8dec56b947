#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
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

/// One device: its streams, in the order that the legacy default stream keeps with the blocking ones.
class Device {
 public:
  explicit Device(int index);

  std::shared_ptr<Stream> add_stream(unsigned flags, int priority);
  const std::shared_ptr<Stream>& legacy() const { return legacy_; }
  /// Queues on one of the device's streams, behind what the legacy stream's rule puts before it.
  Mark enqueue(Stream& stream, Stream::Item item);
  /// What cudaStreamSynchronize waits for: of the legacy stream also the blocking streams' work.
  std::vector<Mark> work_of(Stream& stream);
  /// All work of all of the device's streams, destroyed ones too.
  std::vector<Mark> all_work();

  const int index;
  std::set<int> peers;  // devices whose memory this one may reach; guarded by Machine

 private:
  std::vector<Mark> blocking_work();

  std::mutex order_;
  std::shared_ptr<Stream> legacy_;
  std::vector<std::weak_ptr<Stream>> streams_;
};

void wait_for(const std::vector<Mark>& marks);
bool have_ended(const std::vector<Mark>& marks);

}  // namespace stand_in
