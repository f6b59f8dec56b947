#include "harness/support/fd.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/scratch_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <poll.h>
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

bool is_ready(int fd, short what, const WaitEnd& end) {
  using std::chrono::milliseconds, std::chrono::steady_clock;
  constexpr milliseconds longest{std::numeric_limits<int>::max()};
  for (;;) {
    std::array<pollfd, 2> both{{{fd, what, 0}, {end.fd, POLLIN, 0}}};
    milliseconds left{-1};  // for ever
    if (end.time != steady_clock::time_point::max())
      left = std::clamp(std::chrono::ceil<milliseconds>(end.time - steady_clock::now()), milliseconds(0),
                        longest);
    const auto found = ::poll(both.data(), both.size(), static_cast<int>(left.count()));
    if (found >= 0 || errno != EINTR) return found > 0 && both[1].revents == 0;
  }
}

void set_nonblocking(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) fail("fcntl");
}

}  // namespace harness::inline support
