#include "prices/price_list.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

using namespace prices;

namespace {

using Lines = std::vector<std::string>;

std::vector<Balance> exchanging_of(const std::vector<Price>& rows) { return exchanging(PriceList(rows)); }

Lines said_of(const std::vector<Price>& rows, const std::string& about) {
  const auto all = exchanging_of(rows);
  const auto found = std::ranges::find(all, about, &Balance::about);
  REQUIRE(found != all.end());
  return found->said;
}

/// 100 us and a byte a nanosecond.
std::vector<Price> all_reduces(const std::string& of) {
  std::vector<Price> rows;
  for (const auto& [size, bytes] :
       {std::pair{"4KiB", 4096.0}, std::pair{"1MiB", 1048576.0}, std::pair{"64MiB", 67108864.0}})
    rows.push_back(
        {.name = "prices/collective/all_reduce/" + of + "/bytes:" + size, .seconds = 100e-6 + bytes * 1e-9});
  return rows;
}

}  // namespace

TEST_CASE("messages are worth bundling up to the size whose bytes cost as much as starting", "[balance]") {
  // 100 us at a byte a nanosecond are 100,000 bytes, 97.7 KiB.
  const auto lines = said_of(all_reduces("gloo/ranks:2"), "all-reduce over gloo, 2 ranks");
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "t = 100 us + n / (1 GB/s), at most 0 % off");
  CHECK(lines[2] == "break-even 97.7 KiB: bundle what is smaller, since its start costs more than its bytes");
}

TEST_CASE("times on no line have no break-even", "[balance]") {
  auto rows = all_reduces("gloo/ranks:2");
  rows[1].seconds *= 20;
  CHECK(said_of(rows, "all-reduce over gloo, 2 ranks").size() == 2);
}

TEST_CASE("each number of ranks that has rows has a line, and NCCL's stand beside Gloo's", "[balance]") {
  auto rows = all_reduces("gloo/ranks:4");
  std::ranges::copy(all_reduces("nccl/ranks:2"), std::back_inserter(rows));
  CHECK_FALSE(said_of(rows, "all-reduce over gloo, 4 ranks").empty());
  CHECK_FALSE(said_of(rows, "all-reduce over nccl, 2 ranks").empty());
  CHECK(said_of(rows, "all-reduce over gloo, 2 ranks").empty());
  CHECK(std::ranges::none_of(exchanging_of(rows), [](const Balance& line) {
    return line.about == "all-reduce over gloo, 8 ranks";
  }));
}

TEST_CASE("an all-reduce is told as a multiple of a ping-pong and of a copy", "[balance]") {
  auto rows = all_reduces("gloo/ranks:2");
  rows.push_back({.name = "prices/ping_pong/tcp/bytes:1MiB", .seconds = 574.288e-6});
  rows.push_back({.name = "prices/memcpy/bytes:1MiB", .seconds = 114.8576e-6});
  rows.push_back({.name = "prices/memcpy/bytes:64MiB", .seconds = 1e-3});
  // 100 us + 1,048,576 ns = 1148.576 us. Without a ping-pong of 64 MiB there is nothing to be told of it.
  CHECK(said_of(rows, "all-reduce over gloo beside a socket") ==
        Lines{"1.00 MiB: 2.00 times a ping-pong over TCP, 10.0 times a memcpy"});
}
