#include "harness/trace/window.hpp"

#include "tests/harness/trace/made_up.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

/// Two steps; the kernel of the first runs in the second, that of the second too, a third had no call.
Trace two_steps() {
  return trace_of({range("ProfilerStep#1", 0, 10), range("ProfilerStep#2", 10, 10), op("early", 1, 2),
                   op("late", 12, 2), call("launch", 2, 1, 1), call("launch", 13, 1, 2), kernel(15, 1, 1),
                   kernel(17, 1, 2), kernel(5, 1, 3)});
}

TEST_CASE("with two steps the last one and the work launched in it are left out", "[trace]") {
  const Trace trace = two_steps();
  const std::vector<bool> chosen = inside(trace, choose_window(trace, {}));
  CHECK(chosen[find(trace, "early")]);
  CHECK_FALSE(chosen[find(trace, "late")]);
  CHECK(chosen[find(trace, "relu", 0)]);
  CHECK_FALSE(chosen[find(trace, "relu", 1)]);
  CHECK_FALSE(chosen[find(trace, "relu", 2)]);
}

TEST_CASE("all steps, or a single one, mean the whole file", "[trace]") {
  CHECK(choose_window(two_steps(), {.all_steps = true}).whole_file);
  CHECK(choose_window(trace_of({range("ProfilerStep#1", 0, 10)}), {}).whole_file);
  CHECK(choose_window(trace_of({op("f", 0, 10)}), {}).whole_file);
}

TEST_CASE("chosen steps are the window, the last one included", "[trace]") {
  const Trace trace = two_steps();
  const Window window = choose_window(trace, {.first_step = 2, .last_step = 2});
  CHECK(window.begin == 10'000);
  CHECK(window.end == 20'000);
  CHECK_FALSE(inside(trace, window)[find(trace, "early")]);
}

TEST_CASE("steps that are not there are refused by name", "[trace]") {
  CHECK_THROWS_MATCHES(choose_window(two_steps(), {.first_step = 7, .last_step = 9}), BadInput,
                       MessageMatches(ContainsSubstring("no step 7; the trace has steps 1 to 2")));
  CHECK_THROWS_MATCHES(choose_window(trace_of({op("f", 0, 1)}), {.first_step = 1}), BadInput,
                       MessageMatches(ContainsSubstring("has no steps")));
}

TEST_CASE("steps come in the order of time, whatever the file's", "[trace]") {
  const auto steps = step_windows(trace_of(
      {range("ProfilerStep#9", 20, 5), range("ProfilerStep#8", 10, 10), range("ProfilerStep#x", 1, 2)}));
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].number == 8);
}

}  // namespace
