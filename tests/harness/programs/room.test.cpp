#include "harness/programs/room.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace harness::programs {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("a budget with room for the rounds of a verdict is no matter", "[versus]") {
  CHECK(room_text({.round = 10, .left = 30, .spent = 5, .needed = 3, .run = 2.5}, {}).empty());
}

TEST_CASE("a budget without room for them names the one that has it", "[versus]") {
  CHECK(
      room_text({.round = 40, .left = 60, .spent = 20, .needed = 4, .run = 10}, {}) ==
      "a round takes about 40.0 s where runs are as slow as the warm-up: the budget has room for 1 of the 4 "
      "that a plain difference takes; --budget 196s has room for them");
  CHECK_THAT(room_text({.round = 40, .left = -1, .spent = 20, .needed = 4, .run = 10}, {}),
             ContainsSubstring(": the budget has room for none of the 4"));
}

TEST_CASE("a budget that has room for a plain difference alone names the one that has it for all",
          "[versus]") {
  Room room{.round = 20, .left = 130, .spent = 20, .needed = 3, .open = 10};
  CHECK(room_text(room, {}).empty());
  CHECK(open_text(room, {}) ==
        "the budget has room for about 6 rounds: 3 are enough for a plain difference, and commands that are "
        "nearly equal take 10; --budget 240s has room for them");
  const Plan counts{.candidates = {}, .metric = Metric::instructions};
  CHECK(open_text(room, counts).empty());
  room.left = 200;
  CHECK(open_text(room, {}).empty());
}

TEST_CASE("a training is ended earlier where its steps take the time, and only there", "[versus]") {
  const Plan plan{.candidates = {}, .metric = Metric::step};
  const auto text = room_text(
      {.round = 40, .left = 66, .spent = 20, .needed = 3, .run = 10, .steps = 9, .step = 0.01}, plan);
  CHECK(text.ends_with("152s has room for them, or --steps 400 ends each training earlier"));
  CHECK(room_text({.round = 40, .left = 66, .spent = 20, .needed = 3, .run = 10, .steps = 2, .step = 0.02},
                  plan)
            .ends_with("; of a run's 10.0 s, 8.00 s are no steps, and --steps does not shorten them"));
}

TEST_CASE("a training that mostly starts up is told how many steps take half of a run", "[versus]") {
  const Room room{.run = 6.47, .steps = 0.52, .step = 0.013};
  Plan plan{.candidates = {}, .metric = Metric::step, .steps = 40};
  const std::string begin =
      "of a run's 6.47 s, only 520 ms are steps that count (40 of 13.0 ms): so few scatter, and the time "
      "goes "
      "into starts; ";
  CHECK(start_text(room, plan) ==
        begin + "--steps 460 makes half of a run steps, if the training has so many");
  plan.steps = 0;  // it went on to its own end
  CHECK(start_text(room, plan) == begin + "a training of 460 steps makes half of a run steps");
  CHECK(start_text({.run = 6.47, .steps = 2, .step = 0.013}, plan).empty());
  plan.metric = Metric::wall;
  CHECK(start_text(room, plan).empty());
}

}  // namespace
}  // namespace harness::programs
