#include "prices/pattern.hpp"
#include "prices/taker.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <vector>

using namespace prices;

TEST_CASE("what goes to the other process comes back as it was", "[echo]") {
  for (const std::size_t size : {std::size_t{4}, std::size_t{1} << 20}) {
    std::vector<std::byte> there(size);
    std::vector<std::byte> back(size);
    Echo echo(size);
    for (const std::uint32_t seed : {1U, 2U}) {
      fill_pattern(there, seed);
      echo.ping_pong(there, back);
      CHECK(back == there);
    }
  }
}
