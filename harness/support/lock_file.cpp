#include "harness/support/lock_file.hpp"

#include "harness/core/setup.hpp"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <system_error>

namespace harness::inline support {

Fd lock_file(const std::filesystem::path& file, const std::function<void()>& waits) {
  const auto refuse = [&](int error) {
    throw BadInput(file.string() + ": cannot be locked: " + std::generic_category().message(error));
  };
  Fd fd(open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (fd.get() < 0) refuse(errno);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return fd;
  if (errno != EWOULDBLOCK) refuse(errno);
  waits();
  while (flock(fd.get(), LOCK_EX) != 0)
    if (errno != EINTR) refuse(errno);
  return fd;
}

}  // namespace harness::inline support
