// Bytes through a pipe or a socket, all of them. Nothing here allocates: it runs behind a fork.
#pragma once

#include <cerrno>
#include <cstddef>
#include <span>
#include <unistd.h>

namespace prices {

/// False where the other end is closed.
inline bool write_all(int fd, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

/// False where the other end is closed before they have all come.
inline bool read_all(int fd, std::span<std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto n = ::read(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace prices
