#include "prices/echo.hpp"

#include "prices/all_bytes.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace prices {
namespace {

using harness::Fd;

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
