// Another process at the other end of a plain TCP connection: what an exchange costs at least that goes
// through the kernel.
#pragma once

#include "harness/support/fd.hpp"

#include "prices/taker.hpp"

#include <cstddef>
#include <span>
#include <sys/types.h>

namespace prices {

/// A fork of this process that sends back what it gets, over the loopback.
class Echo {
 public:
  /// Takes `size` bytes at a time. Throws std::system_error where there is no such connection.
  explicit Echo(std::size_t size);
  Echo(const Echo&) = delete;
  Echo& operator=(const Echo&) = delete;
  ~Echo();

  /// There and back. Throws std::runtime_error where the other process is gone.
  void ping_pong(std::span<const std::byte> there, std::span<std::byte> back);

 private:
  [[noreturn]] void serve(int socket) noexcept;

  SharedPages own_;  // the other's copy; made here, since a fork of many threads must not allocate
  harness::Fd socket_;
  pid_t pid_ = -1;
};

}  // namespace prices
