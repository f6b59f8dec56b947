#include "harness/core/setup.hpp"
#include "harness/results/row.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using namespace harness;
using namespace harness::results;

TEST_CASE("a schedule is written as it is read", "[schedule]") {
  const Schedule schedule{.wait = 1, .warmup = 0, .active = 7, .repeat = 2};
  CHECK(parse_schedule(to_string(schedule), "--schedule", {}) == schedule);
  CHECK(schedule.runs() == 16);
}

TEST_CASE("parts of a schedule that are left out keep their values", "[schedule]") {
  const Schedule otherwise{.wait = 2, .warmup = 3, .active = 4, .repeat = 5};
  CHECK(parse_schedule("active=9", "--schedule", otherwise) == Schedule{2, 3, 9, 5});
  CHECK(parse_schedule("", "--schedule", otherwise) == otherwise);
}

TEST_CASE("a schedule that records nothing, or is none, is refused by its flag's name", "[schedule]") {
  const auto* const text = GENERATE("active=0", "repeat=0", "wait=-1", "active=", "active=2x",
                                    "active=999999", "late=1", "wait", "active=5,active=6");
  INFO(text);
  CHECK_THROWS_MATCHES(parse_schedule(text, "--schedule", {}), BadInput,
                       Catch::Matchers::MessageMatches(Catch::Matchers::StartsWith("--schedule ")));
}

}  // namespace
