#include "harness/core/setup.hpp"
#include "harness/support/quantity.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

namespace harness::inline support {
namespace {

double seconds(const std::string& text) { return parse_duration(text, "--budget").time.count(); }

TEST_CASE("Durations are read with their units", "[duration]") {
  CHECK(seconds("90s") == 90);
  CHECK(seconds("3m") == 180);
  CHECK(seconds("1h") == 3600);
  CHECK(seconds("1h30m") == 5400);
  CHECK(seconds("0.5m") == 30);
}

TEST_CASE("A duration that is not one is an error that shows how it is written", "[duration]") {
  for (const auto* text : {"", "3", "m", "3x", "-3m", "+3m", " 3m", "3m ", "3 m", "3mm", "3m1h", "1e3s",
                           "nans", "infs", "0s", "1001h", "0x3m", "3m4", "."}) {
    INFO(text);
    CHECK_THROWS_AS(seconds(text), BadInput);
  }
  for (const auto* text : {"3x", "", "0", "-3", "inf", "1e9", "1e3"})
    CHECK_THROWS_WITH(seconds(text),
                      "--budget '" + std::string(text) + "': expected a duration like 90s, 3m or 1h30m");
  CHECK_THROWS_WITH(seconds("40"),
                    "--budget '40': expected a duration like 90s, 3m or 1h30m; did you mean '40s' or '40m'?");
}

}  // namespace
}  // namespace harness::inline support
