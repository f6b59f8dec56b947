#include "harness/support/quantity.hpp"

#include "prices/price_list.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace prices;

TEST_CASE("a size is written in the largest unit that divides it", "[prices]") {
  CHECK(bytes_text(kib) == "1KiB");
  CHECK(bytes_text(64 * mib) == "64MiB");
  CHECK(bytes_text(gib) == "1GiB");
  CHECK(bytes_text(1536) == "1536B");
  CHECK(bytes_text(100) == "100B");
}

TEST_CASE("a size is read back", "[prices]") {
  for (const auto size : {std::size_t{1}, kib, 16 * kib, 512 * mib, gib})
    CHECK(harness::parse_size(bytes_text(size)) == static_cast<std::int64_t>(size));
}

TEST_CASE("other text gives no size", "[prices]") {
  CHECK_FALSE(harness::parse_size(""));
  CHECK_FALSE(harness::parse_size("KiB"));
  CHECK_FALSE(harness::parse_size("1kib"));
  CHECK_FALSE(harness::parse_size("1KiB/real_time"));
}
