// What a ProcessLoader and its worker processes agree on: a socket that carries requests and replies, memory
// that both see and the batches lie in, and what makes a batch, found by its name, since a process that was
// started afresh shares no closures with the one that asked.
#pragma once

#include "harness/support/fd.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <sys/mman.h>
#include <sys/socket.h>
#include <system_error>

namespace harness::inline support {

/// The descriptors as the worker finds them.
constexpr int socket_number = 3;
constexpr int memory_number = 4;

/// To the worker: write batch `index` into slot `slot`.
struct LoaderRequest {
  std::int64_t index = 0;
  std::int64_t slot = 0;
};
/// From the worker: the oldest request is done, or why it could not be.
struct LoaderReply {
  std::int64_t failed = 0;
  char why[248] = {};
};

[[noreturn]] inline void throw_errno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Owns a mapping of memory that processes share.
class SharedBytes {
 public:
  SharedBytes(const Fd& memory, std::size_t size) : bytes_(map(memory, size), Unmap{size}) {}
  std::span<std::byte> bytes() const { return {bytes_.get(), bytes_.get_deleter().size}; }

 private:
  struct Unmap {
    std::size_t size = 0;
    void operator()(std::byte* bytes) const noexcept { munmap(bytes, size); }
  };
  static std::byte* map(const Fd& memory, std::size_t size) {
    void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
    if (raw == MAP_FAILED) throw_errno("mapping a loader's memory");
    return static_cast<std::byte*>(raw);
  }
  std::unique_ptr<std::byte, Unmap> bytes_;
};

/// Sends one message whole; false once the other end is gone. A lost peer raises no SIGPIPE.
inline bool send_bytes(const Fd& socket, std::string_view bytes) {
  for (;;) {
    if (send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == std::ssize(bytes)) return true;
    if (errno != EINTR) return false;
  }
}
template <class Message>
bool send_message(const Fd& socket, const Message& message) {
  return send_bytes(socket, {reinterpret_cast<const char*>(&message), sizeof message});
}

/// Waits for one message; false once the other end is gone.
template <class Message>
bool receive_message(const Fd& socket, Message& message) {
  for (;;) {
    const auto size = recv(socket.get(), &message, sizeof message, 0);
    if (size == ssize_t{sizeof message}) return true;
    if (size >= 0 || errno != EINTR) return false;
  }
}

/// The distance of slots in memory: whole pages, so that no two batches share a cache line.
constexpr std::size_t slot_stride(std::size_t batch_bytes) {
  constexpr std::size_t page = 4096;
  return (batch_bytes + page - 1) / page * page;
}

/// Writes batch `index` of an epoch into `out`, the same bytes in whichever process it runs.
using ProduceBatch = void (*)(std::int64_t index, std::span<std::byte> out);

struct BatchSource {
  std::string_view name;  // dataload/slow_source
  ProduceBatch produce = nullptr;
};

/// True for a command line that a ProcessLoader started: `--load ...`.
bool is_loader_call(int argc, char** argv);

/// The whole life of a worker process: makes the batches that its parent asks for, until that one lets go of
/// it or dies. The executable's main() must give way to it before it does anything else; gives the exit code.
int loader_main(int argc, char** argv, std::span<const BatchSource> sources);

}  // namespace harness::inline support
