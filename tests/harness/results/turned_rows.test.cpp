#include "tests/harness/results/example_results.hpp"

#include "harness/results/results.hpp"
#include "harness/results/row_json.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace harness::results {
namespace {

using namespace examples;

/// The example's measured row in a file from before rows had sides, as one of that step.
Json old_file(const std::string& step) {
  auto results = example();
  auto& row = results.rows[0];
  row.step = step;
  row.name = results.session.rows[0] = step + "/bytes:4MiB";
  row.expected = Outcome::hurts;
  row.judged.verdict = Verdict::helps;
  row.judged.ratio_interval = Interval{0.4, 0.8};
  auto json = results_to_json(results);
  for (auto& pair : json["tuneproof"]["pairs"]) pair.erase("sides");
  for (auto& error : json["tuneproof"]["errors"]) error.erase("sides");
  return json;
}

TEST_CASE("A row of an old file whose step has changed sides says what a row of today says", "[results]") {
  const auto read = results_from_json(old_file("transfer/pin_then_copy"), "old.json");
  const auto& row = read.rows[0];
  CHECK(row.sides.naive == "pinned first");
  CHECK(row.sides.optimized == "copied as it is");
  CHECK(row.expected == Outcome::helps);
  CHECK(row.judged.verdict == Verdict::hurts);
  CHECK(row.judged.ratio == 2);
  CHECK(row.judged.ratio_interval->low == 1.25);
  CHECK(row.judged.ratio_interval->high == 2.5);
  CHECK(row.measured.log_ratios[0] == 0.69);
  CHECK(row.measured.samples[0].form == Form::optimized);
  CHECK(row.measured.figures[0].naive == 1.5e-7);
  CHECK(std::abs(row.naive_seconds - 175e-6) < 1e-12);
}

TEST_CASE("A row of an old file whose step is as it was stays as it is", "[results]") {
  const auto read = results_from_json(old_file("transfer/pinned_h2d"), "old.json");
  CHECK(read.rows[0].judged.verdict == Verdict::helps);
  CHECK(read.rows[0].judged.ratio == 0.5);
  CHECK(read.rows[0].sides.naive == "naive");
}

TEST_CASE("A turned row is not turned again when its file is written and read", "[results]") {
  const auto once = results_from_json(old_file("transfer/pin_then_copy"), "old.json");
  const auto twice = results_from_json(results_to_json(once), "new.json");
  CHECK(twice.rows[0].judged.verdict == Verdict::hurts);
  CHECK(twice.rows[0].sides.naive == "pinned first");
}

TEST_CASE("A row whose step changed sides after rows had names for them is known by the old names",
          "[results]") {
  constexpr std::array<std::string_view, 3> steps[] = {
      {"dataload/workers_ready_source", "no workers", "workers"},
      {"stgym/workers_5", "without", "with"},
      {"compile/break_even", "one by one", "compiled"},
      {"launch/graph_instantiate_cost", "one by one", "new graph"},
      {"precision/amp_small_none", "FP32", "autocast"},
      {"transfer/staging_buffer", "plain copy", "own staging"}};
  for (const auto& [step, naive, optimized] : steps) {
    INFO(step);
    auto json = old_file(std::string(step));
    CHECK(results_from_json(json, "old.json").rows[0].judged.ratio == 2);
    json["tuneproof"]["pairs"][0]["sides"] = {naive, optimized};
    const auto turned = results_from_json(json, "old.json");
    CHECK(turned.rows[0].judged.ratio == 2);
    CHECK(turned.rows[0].judged.verdict == Verdict::hurts);
    CHECK(turned.rows[0].expected == Outcome::helps);
    CHECK(turned.rows[0].sides.naive != naive);
    const auto again = results_from_json(results_to_json(turned), "new.json");
    CHECK(again.rows[0].judged.ratio == 2);
    CHECK(again.rows[0].sides.naive == turned.rows[0].sides.naive);
  }
}

TEST_CASE("A published figure of one side goes with its side where a row is turned", "[results]") {
  auto results = example();
  auto& row = results.rows[0];
  row.step = "stgym/workers_5";
  row.sides = {"without", "with"};
  row.profile.emplace().figures = {{.name = "Self CPU",
                                    .unit = "s",
                                    .naive = 1,
                                    .optimized = 2,
                                    .published = PublishedChange{.before = 0, .after = 32, .where = "A30"}}};
  turn_old_row(row);
  const auto& figure = row.profile->figures[0];
  CHECK(figure.naive == 2);
  CHECK(figure.published->before == 32);
  CHECK_FALSE(figure.published->after);
}

}  // namespace
}  // namespace harness::results
