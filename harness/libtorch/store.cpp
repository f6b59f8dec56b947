#include "harness/libtorch/store.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/fd.hpp"

#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <sys/socket.h>
#include <system_error>

namespace harness::inline libtorch {
namespace {

using std::chrono::milliseconds;
using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string& address, int port, int kind) {
  addrinfo wanted{};
  wanted.ai_socktype = kind;
  addrinfo* found = nullptr;
  const auto error = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0)
    throw BadInput(fmt::format("'{}', where the ranks should meet, leads to no address ({}); set MASTER_ADDR",
                               address, gai_strerror(error)));
  return {found, &freeaddrinfo};
}

/// LibTorch's own would listen at all addresses of the machine.
Fd bound_socket(const std::string& address, int port) {
  const auto at = resolve(address, port, SOCK_STREAM);
  Fd socket(::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(socket.get(), at->ai_addr, at->ai_addrlen) != 0)
    throw BadInput(fmt::format("rank 0 cannot listen at {}:{}: {}; set MASTER_ADDR and MASTER_PORT", address,
                               port, std::generic_category().message(errno)));
  return socket;
}

/// LibTorch counts whole seconds while it connects, and takes 0 for no limit.
c10d::TCPStoreOptions options_of(int port, milliseconds patience) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(port);
  options.waitWorkers = false;
  options.timeout = std::max(patience, milliseconds(1000));
  return options;
}

}  // namespace

Store open_store(const std::string& address, int port, milliseconds patience) {
  const auto socket = bound_socket(address, port);
  auto options = options_of(port, patience);
  options.isServer = true;
  options.masterListenFd = fcntl(socket.get(), F_DUPFD_CLOEXEC, 0);  // the store takes it and closes it
  return c10::make_intrusive<c10d::TCPStore>(address, options);
}

Store reach_store(const std::string& address, int port, milliseconds patience) try {
  return c10::make_intrusive<c10d::TCPStore>(address, options_of(port, patience));
} catch (const c10::DistError&) {
  return {};
}

Store part_of(const Store& store, const std::string& prefix) {
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

bool comes(const Store& store, const std::string& key, milliseconds time) try {
  const auto until = std::chrono::steady_clock::now() + time;
  do {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    store->wait({key}, std::max(left, milliseconds(1)));
    // LibTorch 2.11 has woken who waited for one queue where nothing but another had an entry.
    if (store->check({key})) return true;
  } while (std::chrono::steady_clock::now() < until);
  return false;
} catch (const c10::DistStoreError&) {  // time is up; a store that is gone is another error
  return false;
}

bool waits(const Store& store, const std::string& queue) { return store->queueLen(queue) > 0; }

std::string own_address(const std::string& towards, int port) {
  const auto at = resolve(towards, port, SOCK_DGRAM);
  const Fd socket(::socket(at->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_storage own{};
  socklen_t size = sizeof own;
  std::array<char, NI_MAXHOST> text{};
  auto* const address = reinterpret_cast<sockaddr*>(&own);
  if (connect(socket.get(), at->ai_addr, at->ai_addrlen) != 0 ||  // sends nothing: it only looks up the way
      getsockname(socket.get(), address, &size) != 0)
    throw std::system_error(errno, std::generic_category(), "the way to " + towards);
  getnameinfo(address, size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return text.data();
}

Bytes to_bytes(const JobMessage& message) {
  Bytes bytes(1 + message.text.size());
  bytes[0] = static_cast<std::uint8_t>(message.order);
  std::ranges::copy(message.text, bytes.begin() + 1);
  return bytes;
}

JobMessage job_message_from(const Bytes& bytes) {
  if (bytes.empty() || bytes[0] > static_cast<std::uint8_t>(Order::over))
    throw std::runtime_error("a message without an order came from the job's first process");
  return {static_cast<Order>(bytes[0]), {bytes.begin() + 1, bytes.end()}};
}

Reply reply_from(std::string_view text) {
  Reply reply;
  if (text.size() != sizeof reply) throw std::runtime_error("a reply of another length");
  std::memcpy(&reply, text.data(), sizeof reply);
  reply.why[sizeof reply.why - 1] = '\0';
  return reply;
}

std::string run_prefix(const Store& whole, int rank) {
  return fmt::format("tuneproof/{}", whole->add(fmt::format("tuneproof/runs/{}", rank), 1));
}

std::string orders_of(int rank) { return fmt::format("orders/{}", rank); }
std::string whereabouts_of(int rank) { return fmt::format("whereabouts/{}", rank); }
std::string farewell_of(int rank) { return fmt::format("farewell/{}", rank); }
std::string started_by(const std::string& team, int rank) { return fmt::format("{}/started/{}", team, rank); }
std::string replies_of(const std::string& team, int rank) { return fmt::format("{}/replies/{}", team, rank); }

}  // namespace harness::inline libtorch
