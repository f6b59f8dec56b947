#include "harness/support/lock_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/core/slot_order.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <system_error>
#include <thread>

namespace harness::inline support {
namespace {

/// The same for each way that leads to the file.
std::string writers_name(const std::filesystem::path& file) {
  constexpr std::uint64_t no_seed = 0;
  struct stat folder{};
  stat(file.has_parent_path() ? file.parent_path().c_str() : ".", &folder);
  return fmt::format("tuneproof writes {:x}:{:x}/{:016x}", folder.st_dev, folder.st_ino,
                     row_seed(no_seed, file.filename().string()));
}

}  // namespace

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

std::filesystem::path behind_links(std::filesystem::path file) {
  constexpr int most = 40;  // as many as the kernel follows
  std::error_code ignored;  // a file that is not there yet is not an error
  for (int links = 0; links < most && std::filesystem::is_symlink(file, ignored); ++links)
    file = file.parent_path() / std::filesystem::read_symlink(file, ignored);
  return file;
}

Fd only_writer(const std::filesystem::path& file) {
  constexpr std::chrono::milliseconds longest{300}, pace{10};
  const auto name = writers_name(file);
  sockaddr_un address{.sun_family = AF_UNIX,
                      .sun_path = {}};  // begins with zero: the kernel's names, no file
  name.copy(address.sun_path + 1, sizeof address.sun_path - 1);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Fd held(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto end = std::chrono::steady_clock::now() + longest;
  while (bind(held.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 && errno == EADDRINUSE) {
    if (std::chrono::steady_clock::now() > end)
      throw BadInput(file.string() +
                     ": another tuneproof is writing it; wait for its end, or name another file");
    std::this_thread::sleep_for(pace);
  }
  return held;  // where the kernel has no such names, nobody is kept away
}

}  // namespace harness::inline support
