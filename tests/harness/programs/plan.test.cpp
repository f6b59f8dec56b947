#include "harness/programs/plan.hpp"

#include "harness/programs/command_meter.hpp"
#include "harness/programs/command_runner.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace harness;
using namespace harness::programs;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a plan comes back from the options of a file", "[versus]") {
  const Plan plan{
      .candidates = {{.name = "base", .command = "a b", .prepare = "p", .setup = "s", .per = "16"},
                     {.name = "head", .command = "c | d"}},
      .metric = Metric::printed,
      .printed = R"(rate (\S+))",
      .more_is_better = true,
      .same_output = "loss=(.*)",
      .within = "0.02",
      .shell = "bash",
      .input = "in",
      .cleanup = "rm x",
      .timeout = "5m",
      .warmup = 3,
      .steps = 100,
      .ignore_failure = true,
      .gates = true};
  CHECK(plan_from(to_options(plan), "r.json") == plan);
  const Plan plain{.candidates = {{.name = "x", .command = "x"}, {.name = "y", .command = "y"}}};
  CHECK(plan_from(to_options(plain), "r.json") == plain);
}

TEST_CASE("the options of another command are refused with the file's name", "[versus]") {
  CHECK_THROWS_WITH(plan_from({{"scale", "0.1"}}, "r.json"), ContainsSubstring("r.json: is not a file of"));
}

TEST_CASE("a file whose plan no options make is refused before anything runs", "[versus]") {
  const Plan plan{.candidates = {{.name = "x", .command = "x"}, {.name = "y", .command = "y"}}};
  for (const auto& [name, value] : {std::pair{"warmup", "2000000000"},
                                    {"warmup", "-1"},
                                    {"steps", "-1"},
                                    {"per 2", "0"},
                                    {"per 2", "-8"}}) {
    auto options = to_options(plan);
    options[name] = value;
    CHECK_THROWS_WITH(plan_from(options, "r.json"), ContainsSubstring("is no number that versus takes"));
  }
}

TEST_CASE("rows that a session of these commands would not have are refused", "[versus]") {
  const Plan plan{.candidates = {{.name = "x", .command = "x"},
                                 {.name = "y", .command = "y"},
                                 {.name = "z", .command = "z"}}};
  const auto refused = [&](const auto& change, const char* reason) {
    auto rows = blank_rows(plan, 0.03);
    change(rows);
    CHECK_THROWS_WITH(check_rows(rows, plan, "r.json"), ContainsSubstring(reason));
  };
  CHECK_NOTHROW(check_rows(blank_rows(plan, 0.03), plan, "r.json"));
  refused([](auto& rows) { rows.pop_back(); }, "has 3 commands and 1 rows");
  refused([](auto& rows) { rows.push_back(rows.back()); }, "is not in the order of its commands");
  refused([](auto& rows) { std::swap(rows[0], rows[1]); }, "is not in the order of its commands");
  refused([](auto& rows) { rows[0].at.front().value = 3; }, "is of no command");
  const auto with_quads = [&](int quads) {
    return [quads](auto& rows) {
      rows[0].measured.iterations = 1;
      rows[0].measured.calibrations["quads"] = quads;
    };
  };
  refused([](auto& rows) { rows[0].measured.iterations = 1; }, "does not say how many quads");
  refused(with_quads(17), "of 1 to 16");
  auto rows = blank_rows(plan, 0.03);
  with_quads(16)(rows);
  CHECK_NOTHROW(check_rows(rows, plan, "r.json"));
}

TEST_CASE("outputs are equal, or a number is at most so much above the first", "[versus]") {
  Plan plan;
  CHECK(why_not_same(plan, "1.0", "1.0").empty());
  CHECK_THAT(why_not_same(plan, "1.0", "1"), ContainsSubstring("the outputs differ"));
  plan.within = "0.02";
  CHECK(why_not_same(plan, "1.0", "1.02").empty());
  CHECK(why_not_same(plan, "1.0", "0.1").empty());
  CHECK(why_not_same(plan, "-1.0", "-0.98").empty());
  CHECK(why_not_same(plan, "-1.0", "-2.0").empty());
  CHECK_THAT(why_not_same(plan, "-1.0", "-0.97"), ContainsSubstring("-0.97 is more than 2 % above the -1.0"));
  CHECK_THAT(why_not_same(plan, "1.0", "1.03"), ContainsSubstring("1.03 is more than 2 % above the 1.0"));
  CHECK_THAT(why_not_same(plan, "1.0", "nan"), ContainsSubstring("are not both numbers"));
  CHECK_THAT(why_not_same(plan, "nan", "nan"), ContainsSubstring("are not both numbers"));
  CHECK_THAT(why_not_same(plan, "1.0", "much"), ContainsSubstring("are not both numbers"));
}
