#include "prices/taker.hpp"

#include "prices/pattern.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>

namespace prices {
namespace {

using harness::Fd;

// Behind a fork: nothing here allocates.

/// False where the other end is closed.
bool write_all(int fd, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

/// False where the other end is closed before they have all come.
bool read_all(int fd, std::span<std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto n = ::read(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return true;
}

std::span<std::byte> bytes_of(char& letter) { return std::as_writable_bytes(std::span(&letter, 1)); }

int required(int result, const char* what) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), what);
  return result;
}

Fd tcp_socket() { return Fd(required(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "a TCP socket")); }

/// Small messages go at once.
void send_at_once(const Fd& socket) {
  const int yes = 1;
  required(setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes), "TCP_NODELAY");
}

/// Both ends of a connection to this very process. Nobody listens any more when it returns.
std::pair<Fd, Fd> connected() {
  const auto listening = tcp_socket();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* place = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  required(bind(listening.get(), place, size), "an address of the loopback");
  required(listen(listening.get(), 1), "listening at the loopback");
  required(getsockname(listening.get(), place, &size), "the address of a socket");
  auto one = tcp_socket();
  required(connect(one.get(), place, size), "a connection over the loopback");
  Fd other(required(accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC), "a connection"));
  send_at_once(one);
  send_at_once(other);
  return {std::move(one), std::move(other)};
}

}  // namespace

SharedPages::SharedPages(std::size_t size) : size_(size) {
  void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  data_ = static_cast<std::byte*>(raw);
}

SharedPages::~SharedPages() { munmap(data_, size_); }

Taker::Taker(Way way, std::size_t size) : way_(way), shared_(way == Way::shared ? size : 1), own_(size) {
  const auto parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) serve();
    _exit(1);
  }
  to_.read_end.close();
  back_.write_end.close();
}

Taker::~Taker() {
  to_.write_end.close();
  waitpid(pid_, nullptr, 0);
}

void Taker::hand_over_checked(std::span<const std::byte> bytes) {
  if (ask('c', bytes) != 'y')
    throw std::runtime_error("the bytes that arrived differ from those that were sent");
}

char Taker::ask(char what, std::span<const std::byte> bytes) {
  char said = 0;
  if (way_ == Way::shared) std::memcpy(shared_.bytes().data(), bytes.data(), bytes.size());
  const bool sent = write_all(to_.write_end.get(), bytes_of(what)) &&
                    (way_ == Way::shared || write_all(to_.write_end.get(), bytes));
  if (!sent || !read_all(back_.read_end.get(), bytes_of(said)))
    throw std::runtime_error("the process that receives the bytes is gone");
  return said;
}

void Taker::serve() noexcept {
  to_.write_end.close();
  back_.read_end.close();
  for (char asked = 0; read_all(to_.read_end.get(), bytes_of(asked));) {
    if (way_ == Way::shared)
      std::memcpy(own_.bytes().data(), shared_.bytes().data(), own_.bytes().size());
    else if (!read_all(to_.read_end.get(), own_.bytes()))
      break;
    char answer = asked == 'c' && first_wrong(own_.bytes(), seed) ? 'n' : 'y';
    if (!write_all(back_.write_end.get(), bytes_of(answer))) break;
  }
  _exit(0);
}

Echo::Echo(std::size_t size) : own_(size) {
  auto [ours, theirs] = connected();
  const auto parent = getpid();
  pid_ = required(fork(), "fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ours.close();
    if (getppid() == parent) serve(theirs.get());
    _exit(1);
  }
  socket_ = std::move(ours);
}

Echo::~Echo() {
  socket_.close();
  waitpid(pid_, nullptr, 0);
}

void Echo::ping_pong(std::span<const std::byte> there, std::span<std::byte> back) {
  if (!write_all(socket_.get(), there) || !read_all(socket_.get(), back))
    throw std::runtime_error("the process that sends the bytes back is gone");
}

void Echo::serve(int socket) noexcept {
  while (read_all(socket, own_.bytes()) && write_all(socket, own_.bytes())) continue;
  _exit(0);
}

}  // namespace prices
