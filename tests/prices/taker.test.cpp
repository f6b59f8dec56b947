#include "prices/taker.hpp"

#include "prices/pattern.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <stdexcept>
#include <vector>

using namespace prices;

namespace {

constexpr std::size_t size = 300'000;  // more than a pipe holds at once

std::vector<std::byte> pattern() {
  std::vector<std::byte> bytes(size);
  fill_pattern(bytes, Taker::seed);
  return bytes;
}

}  // namespace

TEST_CASE("the other process has the bytes that it was handed", "[prices]") {
  const auto way = GENERATE(Taker::Way::pipe, Taker::Way::shared);
  const auto bytes = pattern();
  Taker taker(way, size);
  for (int i = 0; i < 3; ++i) taker.hand_over(bytes);
  CHECK_NOTHROW(taker.hand_over_checked(bytes));
}

TEST_CASE("the other process sees one wrong bit", "[prices]") {
  const auto way = GENERATE(Taker::Way::pipe, Taker::Way::shared);
  auto bytes = pattern();
  bytes[size - 2] ^= std::byte{4};
  Taker taker(way, size);
  CHECK_THROWS_AS(taker.hand_over_checked(bytes), std::runtime_error);
}
