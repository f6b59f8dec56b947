// Other processes at the other end of a pipe or a connection: one that takes the bytes it is handed and
// says so, and one that sends them back, which is what an exchange costs at least.
#pragma once

#include "harness/support/fd.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/types.h>

namespace prices {

/// Pages that this process and those forked from it share.
class SharedPages {
 public:
  /// Throws std::system_error where there are not that many.
  explicit SharedPages(std::size_t size);
  SharedPages(const SharedPages&) = delete;
  SharedPages& operator=(const SharedPages&) = delete;
  ~SharedPages();
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A fork of this process. It copies what it is handed into memory of its own, in both ways.
class Taker {
 public:
  enum class Way { pipe, shared };

  /// Takes `size` bytes at a time.
  Taker(Way way, std::size_t size);
  Taker(const Taker&) = delete;
  Taker& operator=(const Taker&) = delete;
  ~Taker();

  /// Hands the bytes over and waits until they have been taken.
  void hand_over(std::span<const std::byte> bytes) { ask('t', bytes); }
  /// The same; throws std::runtime_error unless what arrived is the pattern of `seed` 1.
  void hand_over_checked(std::span<const std::byte> bytes);

  static constexpr std::uint32_t seed = 1;

 private:
  char ask(char what, std::span<const std::byte> bytes);
  [[noreturn]] void serve() noexcept;

  Way way_;
  SharedPages shared_;  // one page where all goes through the pipe
  SharedPages own_;     // the taker's copy; made here, since a fork of many threads must not allocate
  harness::Pipe to_;
  harness::Pipe back_;
  pid_t pid_ = -1;
};

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
