#include "tests/harness/compare/fleet.hpp"

#include "harness/compare/merge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the report names the outlier, by how much and in how many times", "[merge]") {
  const auto text = fleet_text(example::merged(example::one_slow_of_four()), false, {});
  CHECK_THAT(text, ContainsSubstring("n4 against the others: second side slower (+20.0 % [+19.8, +20.2])"));
  CHECK_THAT(text,
             ContainsSubstring("apart from the others: n4 (slower in 1 of 2 times, another ratio in 1 of 1"));
  CHECK_THAT(text, ContainsSubstring("cpu model A CPU, logical cpus 2, memory"));
}

TEST_CASE(
    "a fleet of equals says that nobody stands apart, and shows no row where only outliers were asked for",
    "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes.pop_back();
  const auto text = fleet_text(example::merged(nodes), true, {});
  CHECK_THAT(text, ContainsSubstring("3 nodes, 1 row: no node stands apart."));
  CHECK_THAT(text, !ContainsSubstring("sync/a/device:cpu"));
}

TEST_CASE("of two nodes the report says that it takes a third", "[merge]") {
  const auto fleet = example::merged(
      {example::node("n1", {{}}), example::node("n2", {example::RowText{.optimized_ns = 6e5}})});
  CHECK_THAT(fleet_text(fleet, false, {}), ContainsSubstring("Measure a third node to see which"));
}

TEST_CASE("no line of the report is wider than 100 columns", "[merge]") {
  const auto text = fleet_text(example::merged(example::one_slow_of_four()), false, {});
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    REQUIRE(end != std::string::npos);
    CHECK(end - begin <= 100);
    begin = end + 1;
  }
}

TEST_CASE("the JSON has every node of every row with its p-values", "[merge]") {
  const auto json = fleet_json(example::merged(example::one_slow_of_four()));
  CHECK(json["schema"] == "tuneproof.merge");
  CHECK(json["nodes"].size() == 4);
  const auto& slow = json["rows"][0]["nodes"][3];
  CHECK(slow["node"] == "n4");
  CHECK(slow["against_others"]["optimized"]["outlier"] == "above");
  CHECK(slow["against_others"]["naive"]["outlier"].is_null());
  CHECK(slow["against_others"]["ratio"]["p_below"] == 1.0);
}
