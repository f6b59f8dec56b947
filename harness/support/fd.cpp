#include "harness/support/fd.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>

namespace harness::inline support {
namespace {

[[noreturn]] void fail(const char* what) {
  if (errno == EMFILE) throw BadInput("too many files are open at once; raise the limit with ulimit -n");
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Fd moved_up(Fd low) {
  constexpr int above_streams = 10;
  Fd high(fcntl(low.get(), F_DUPFD_CLOEXEC, above_streams));
  if (high.get() < 0) fail("fcntl");
  return high;
}

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

Fd unnamed_file_on_disk() {
  auto name = (temporary_folder() / "tuneproof-XXXXXX").string();
  Fd file(mkostemp(name.data(), O_CLOEXEC));
  if (file.get() < 0) fail("making a temporary file");
  unlink(name.c_str());
  return file;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

void set_nonblocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) fail("fcntl");
}

}  // namespace harness::inline support
