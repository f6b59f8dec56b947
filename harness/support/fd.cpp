#include "harness/support/fd.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>

namespace harness::inline support {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Moves the descriptor out of the way of 0 to 4, which the child's streams are put on.
Fd moved_up(Fd low) {
  Fd high(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  if (high.get() < 0) fail("fcntl");
  return high;
}

}  // namespace

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
  Fd read_raw(ends[0]);
  Fd write_raw(ends[1]);
  read_end = moved_up(std::move(read_raw));
  write_end = moved_up(std::move(write_raw));
}

Fd nameless_file(const char* label) {
  Fd raw(memfd_create(label, MFD_CLOEXEC));
  if (raw.get() < 0) fail("memfd_create");
  return moved_up(std::move(raw));
}

void set_nonblocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) fail("fcntl");
}

}  // namespace harness::inline support
