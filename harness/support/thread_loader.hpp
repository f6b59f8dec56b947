// Batches made ahead by a pool of threads, handed out in order. Knows no LibTorch: a batch is any movable
// type.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace harness::inline support {

/// What a ThreadLoader is asked for.
struct ThreadPlan {
  std::int64_t batches = 0;  // in one epoch
  int workers = 0;           // 0: next() makes the batch itself, on the caller's thread
  int prefetch = 2;          // batches that may lie ready or in work, per worker
  /// Runs first on each worker's thread: one OpenMP thread, a current CUDA stream. Empty: nothing.
  std::function<void()> on_start = {};
};

/// Makes batch 0, 1, 2, ... on worker threads and hands them out in that order.
/// One loader an epoch is what PyTorch does by default; restart() keeps the threads instead.
/// Of an epoch, workers x prefetch batches at most are in work or ready at a time, beside those handed out.
/// next() and restart() belong to one thread; `make` runs on all workers at once. Destroying the loader in
/// the middle of an epoch waits for the batches in work and drops the rest.
template <class Batch>
class ThreadLoader {
 public:
  using Make = std::function<Batch(std::int64_t index)>;

  /// Starts the workers and with them the first epoch. Throws std::invalid_argument for a negative number.
  ThreadLoader(ThreadPlan plan, Make make) : plan_(std::move(plan)), make_(std::move(make)) {
    if (plan_.batches < 0 || plan_.workers < 0 || plan_.prefetch < 1)
      throw std::invalid_argument("a loader needs batches >= 0, workers >= 0 and prefetch >= 1");
    goal_ = plan_.batches;
    ring_.resize(static_cast<std::size_t>(plan_.workers) * static_cast<std::size_t>(plan_.prefetch));
    for (int i = 0; i < plan_.workers; ++i)
      threads_.emplace_back([this](const std::stop_token& stop) { work(stop); });
  }
  ThreadLoader(const ThreadLoader&) = delete;
  ThreadLoader& operator=(const ThreadLoader&) = delete;
  ~ThreadLoader() {
    for (auto& thread : threads_) thread.request_stop();  // all of them, before the first is waited for
  }

  /// The next batch; nothing once the epoch is over. What `make` threw for this batch is thrown here, and the
  /// call after that gives the batch behind it.
  std::optional<Batch> next() {
    if (taken_ == goal_) return std::nullopt;
    if (threads_.empty()) return make_(taken_++ % plan_.batches);
    Slot slot;
    {
      std::unique_lock lock(mutex_);
      auto& ready = slot_of(taken_);
      ready_.wait(lock, [&] { return ready.index() != 0; });
      slot = std::exchange(ready, std::monostate{});
      ++taken_;
    }
    room_.notify_one();
    if (const auto* error = std::get_if<2>(&slot)) std::rethrow_exception(*error);
    return std::get<1>(std::move(slot));
  }

  /// Begins the next epoch, index 0 again. Does nothing before the first batch of an epoch; throws
  /// std::logic_error in the middle of one.
  void restart() {
    if (taken_ == goal_ - plan_.batches) return;
    if (taken_ != goal_) throw std::logic_error("restart() in the middle of an epoch");
    {
      const std::scoped_lock lock(mutex_);
      goal_ += plan_.batches;
    }
    room_.notify_all();
  }

 private:
  using Slot = std::variant<std::monostate, Batch, std::exception_ptr>;  // empty, made, failed

  Slot& slot_of(std::int64_t index) { return ring_[static_cast<std::size_t>(index) % ring_.size()]; }
  bool has_room() const {
    return claimed_ < std::min(goal_, taken_ + static_cast<std::int64_t>(ring_.size()));
  }

  void work(const std::stop_token& stop) {
    std::exception_ptr broken;
    try {
      if (plan_.on_start) plan_.on_start();
    } catch (...) {
      broken = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    while (room_.wait(lock, stop, [&] { return has_room(); }) && !stop.stop_requested()) {
      const auto index = claimed_++;
      lock.unlock();
      Slot made = broken ? Slot(std::in_place_index<2>, broken) : attempt(index % plan_.batches);
      lock.lock();
      slot_of(index) = std::move(made);
      if (index == taken_) ready_.notify_one();
    }
  }

  Slot attempt(std::int64_t index) const {
    try {
      return Slot(std::in_place_index<1>, make_(index));
    } catch (...) {
      return Slot(std::in_place_index<2>, std::current_exception());
    }
  }

  ThreadPlan plan_;
  Make make_;
  std::mutex mutex_;
  std::condition_variable_any room_;  // workers wait: a slot became free, or a new epoch began
  std::condition_variable ready_;     // next() waits: its batch lies in its slot
  std::vector<Slot> ring_;            // batch i lies in slot i modulo size
  std::int64_t claimed_ = 0;          // counts over all epochs, as do the next two
  std::int64_t taken_ = 0;            // written by next() alone
  std::int64_t goal_ = 0;
  std::vector<std::jthread> threads_;  // last: joined before what the threads use goes away
};

}  // namespace harness::inline support
