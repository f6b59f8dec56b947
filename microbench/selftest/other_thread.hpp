// A thread that answers, and sleeps in between.
#pragma once

#include "harness/support/fd.hpp"

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <sys/socket.h>
#include <system_error>
#include <thread>

namespace microbench {

/// Answers each call with one more. Woken by a condition variable.
class ByCondition {
 public:
  ByCondition() : thread_([this] { serve(); }) {}
  ~ByCondition() {
    hand_over(-1);
    thread_.join();
  }
  int call(int value) {
    hand_over(value);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !theirs_; });
    return value_;
  }

 private:
  void hand_over(int value) {
    const std::lock_guard lock(mutex_);
    value_ = value;
    theirs_ = true;
    changed_.notify_all();
  }
  void serve() {
    for (std::unique_lock lock(mutex_);;) {
      changed_.wait(lock, [this] { return theirs_; });
      if (value_ < 0) return;
      ++value_;
      theirs_ = false;
      changed_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  int value_ = 0;
  bool theirs_ = false;
  std::thread thread_;
};

/// The same, woken by a byte in a pipe or a socket. Throws std::system_error where there is none.
class ByDescriptor {
 public:
  explicit ByDescriptor(bool socket) {
    if (socket) {
      int ends[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        throw std::system_error(errno, std::generic_category(), "socketpair");
      ours_out_ = harness::Fd(ends[0]);
      theirs_in_ = harness::Fd(ends[1]);
    } else {
      harness::Pipe there, back;
      ours_out_ = std::move(there.write_end);
      theirs_in_ = std::move(there.read_end);
      ours_in_ = std::move(back.read_end);
      theirs_out_ = std::move(back.write_end);
    }
    thread_ = std::thread([this, in = theirs_in_.get(), out = socket ? theirs_in_.get() : theirs_out_.get()] {
      for (char byte = 0; read(in, &byte, 1) == 1;) {
        ++byte;
        if (write(out, &byte, 1) != 1) return;
      }
    });
  }
  ~ByDescriptor() {
    ours_out_.close();
    thread_.join();
  }
  int call(int value) {
    char byte = static_cast<char>(value);
    const int in = ours_in_.get() >= 0 ? ours_in_.get() : ours_out_.get();
    if (write(ours_out_.get(), &byte, 1) != 1 || read(in, &byte, 1) != 1)
      throw std::system_error(errno, std::generic_category(), "the other thread");
    return byte;
  }

 private:
  harness::Fd ours_in_, ours_out_, theirs_in_, theirs_out_;
  std::thread thread_;
};

}  // namespace microbench
