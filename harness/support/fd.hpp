#pragma once

#include <chrono>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace harness::inline support {

/// Owns a file descriptor; -1 is none.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int raw) : raw_(raw) {}
  Fd(Fd&& other) noexcept : raw_(std::exchange(other.raw_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Fd() { close(); }

  int get() const noexcept { return raw_; }
  void close() noexcept {
    if (raw_ >= 0) ::close(raw_);
    raw_ = -1;
  }

 private:
  int raw_ = -1;
};

/// Moves a descriptor above the numbers that a child's own streams take; no child inherits it. Throws
/// std::system_error where none is free.
Fd moved_up(Fd low);

/// A pipe whose two ends no child inherits, both above the numbers that a child's own streams take.
struct Pipe {
  Pipe();
  Fd read_end;
  Fd write_end;
};

/// A file in memory that has no name and ends with its last descriptor; no child inherits it unasked.
Fd nameless_file(const char* label);

/// A file without a name in the folder for temporary files, on disk where that is; no child inherits it.
Fd unnamed_file_on_disk();

/// Writes all of it, however often a signal comes between. False, with errno, where that cannot be done.
bool write_all(int fd, std::string_view bytes);

/// What ends a wait: a time, or another descriptor that can be read.
struct WaitEnd {
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::time_point::max();
  int fd = -1;
};

/// Waits until the descriptor can be read (POLLIN) or written (POLLOUT), or its other end is gone; false
/// where the wait ends first.
bool is_ready(int fd, short what, const WaitEnd& end);

/// Reading or writing returns at once where it would have to wait.
void set_nonblocking(int fd);

}  // namespace harness::inline support
