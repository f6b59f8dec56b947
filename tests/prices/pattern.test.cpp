#include "prices/pattern.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <cstring>
#include <stdexcept>
#include <vector>

using namespace prices;

namespace {

std::vector<std::byte> filled(std::size_t size, std::uint32_t seed) {
  std::vector<std::byte> bytes(size);
  fill_pattern(bytes, seed);
  return bytes;
}

}  // namespace

TEST_CASE("a pattern that was written is found right", "[pattern]") {
  CHECK_FALSE(first_wrong(filled(4096, 1), 1));
  CHECK_FALSE(first_wrong({}, 1));
}

TEST_CASE("one wrong bit is found where it is, at the start, within and at the end", "[pattern]") {
  for (const std::size_t at : {0U, 1001U, 4095U}) {
    auto bytes = filled(4096, 1);
    bytes[at] ^= std::byte{1};
    CHECK(first_wrong(bytes, 1) == at / 4 * 4);
  }
}

TEST_CASE("a copy that is late by a word, or of another seed, is wrong", "[pattern]") {
  auto bytes = filled(4096, 1);
  std::memmove(bytes.data(), bytes.data() + 4, bytes.size() - 4);
  CHECK(first_wrong(bytes, 1) == 0U);
  CHECK(first_wrong(filled(4096, 2), 1) == 0U);
  CHECK(first_wrong(std::vector<std::byte>(4096), 1) == 0U);
}

TEST_CASE("what a wrong copy says names the byte", "[pattern]") {
  auto bytes = filled(64, 1);
  bytes[9] ^= std::byte{0x80};
  CHECK_THROWS_MATCHES(require_pattern(bytes, 1), std::runtime_error,
                       Catch::Matchers::Message("the copy is wrong at byte 8 of 64"));
  CHECK_NOTHROW(require_pattern(filled(64, 1), 1));
}
