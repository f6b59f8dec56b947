#include "harness/libtorch/store.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/fd.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <arpa/inet.h>
#include <chrono>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>

namespace {

using namespace harness;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

constexpr auto loopback = "127.0.0.1";

/// One that nobody listens at now.
int free_port() {
  const Fd socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  REQUIRE(bind(socket.get(), reinterpret_cast<sockaddr*>(&at), size) == 0);
  REQUIRE(getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size) == 0);
  return ntohs(at.sin_port);
}

bool somebody_listens(const char* address, int port) {
  const Fd socket(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, address, &at.sin_addr);
  return connect(socket.get(), reinterpret_cast<sockaddr*>(&at), sizeof at) == 0;
}

TEST_CASE("a store listens at its address alone, and no longer than it lives", "[ranks]") {
  const auto port = free_port();
  {
    const auto store = open_store(loopback, port, 10s);
    CHECK(somebody_listens(loopback, port));
    CHECK_FALSE(somebody_listens("127.0.0.2", port));
  }
  CHECK_FALSE(somebody_listens(loopback, port));
}

TEST_CASE("what one process puts into a store another takes out", "[ranks]") {
  const auto port = free_port();
  const auto one = part_of(open_store(loopback, port, 10s), "run");
  const auto other = part_of(reach_store(loopback, port, 10s), "run");
  CHECK_FALSE(waits(other, "queue"));
  CHECK_FALSE(comes(other, "queue", 1ms));
  one->queuePush("queue", {7});
  CHECK(comes(other, "queue", 10s));
  CHECK(waits(other, "queue"));
  CHECK(other->queuePop("queue", false) == Bytes{7});
  CHECK_FALSE(waits(other, "queue"));
}

TEST_CASE("a port that is taken is one sentence", "[ranks]") {
  const auto port = free_port();
  const auto store = open_store(loopback, port, 10s);
  CHECK_THROWS_WITH(open_store(loopback, port, 10s),
                    ContainsSubstring("rank 0 cannot listen at 127.0.0.1:" + std::to_string(port)) &&
                        ContainsSubstring("set MASTER_ADDR and MASTER_PORT"));
}

TEST_CASE("an address that is none is one sentence", "[ranks]") {
  CHECK_THROWS_AS(open_store("no.such.node.invalid", 4711, 1s), BadInput);
}

TEST_CASE("where nobody listens no store is reached", "[ranks]") {
  CHECK_FALSE(reach_store(loopback, free_port(), 1s));
}

TEST_CASE("the way to this machine begins at this machine", "[ranks]") {
  CHECK(own_address(loopback, 4711) == loopback);
}

}  // namespace
