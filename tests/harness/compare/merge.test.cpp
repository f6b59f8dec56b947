#include "harness/compare/merge.hpp"

#include "tests/folder.hpp"
#include "tests/harness/compare/fleet.hpp"

#include "harness/compare/fleet_files.hpp"
#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace harness;
using namespace harness::compare;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using example::merged;
using example::node;
using example::RowText;

TEST_CASE("a node whose optimized form takes a fifth longer stands apart from the other three", "[merge]") {
  const auto fleet = merged(example::one_slow_of_four());
  const auto& slow = fleet.rows.at(0).nodes.at(3);
  CHECK(slow.optimized->above);
  CHECK(slow.optimized->against.ratio == Approx(1.2));
  // The 2nd and 13th of its 14 units, the 12th and 31st of the others' 42: -0.1 % and +0.1 % on each side.
  CHECK(slow.optimized->against.ratio_interval->low == Approx(1.2 * 0.999 / 1.001));
  CHECK(slow.optimized->against.ratio_interval->high == Approx(1.2 * 1.001 / 0.999));
  CHECK(slow.optimized->p_above == Approx(std::ldexp(2.0, -14)));
  CHECK(slow.speed->above);
  CHECK(slow.speed->against.ratio == Approx(1.2));
  CHECK_FALSE(slow.naive->apart());
  CHECK(fleet.nodes.at(3).slower == 1);
  CHECK(fleet.nodes.at(3).times == 2);
  CHECK(fleet.nodes.at(3).ratios == 1);
}

TEST_CASE("the others are not fast because one of them is slow", "[merge]") {
  const auto fleet = merged(example::one_slow_of_four());
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK_FALSE(fleet.rows.at(0).nodes.at(i).apart());
    CHECK_FALSE(fleet.nodes.at(i).apart());
  }
}

TEST_CASE("a node slower by less than matters is none of the outliers", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[3] = node("n4", {RowText{.naive_ns = 1.02e6, .optimized_ns = 5.1e5}});
  const auto fleet = merged(nodes);
  CHECK(fleet.rows.at(0).nodes.at(3).naive->against.ratio == Approx(1.02));
  CHECK_FALSE(fleet.nodes.at(3).apart());
}

TEST_CASE("a node that is faster in both forms stands apart in its times and not in its ratio", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[3] = node("n4", {RowText{.naive_ns = 8e5, .optimized_ns = 4e5}});
  const auto fleet = merged(nodes);
  CHECK(fleet.nodes.at(3).faster == 2);
  CHECK(fleet.nodes.at(3).slower == 0);
  CHECK(fleet.nodes.at(3).ratios == 0);
}

TEST_CASE("with few units nobody stands apart, however large the difference", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[3] = node("n4", {RowText{.optimized_ns = 6e5, .units = 7}});
  // 2 P(Bin(7, 1/2) <= 0) = 1/64 is above the 0.5 % that each of the two intervals may cost.
  const auto fleet = merged(nodes);
  CHECK_FALSE(fleet.rows.at(0).nodes.at(3).optimized->against.ratio_interval.has_value());
  CHECK_FALSE(fleet.nodes.at(3).apart());
}

TEST_CASE("one claim among nine hundred may be chance, three of one kind are not", "[merge]") {
  // 150 rows x 3 nodes x 2 forms. The least p-value is 2^-13: 900 x 2^-13 = 0.11, and a third of it is 0.037.
  const auto fleet_with = [](int slow_rows) {
    std::vector<RowText> good, slow;
    for (int i = 0; i < 150; ++i) {
      good.push_back({.id = "sync/r" + std::to_string(i) + "/device:cpu"});
      slow.push_back(good.back());
      if (i < slow_rows) slow.back().optimized_ns = 6e5;
    }
    return merged({node("n1", good), node("n2", good), node("n3", slow)});
  };
  const auto one = fleet_with(1);
  CHECK(one.rows.at(0).nodes.at(2).optimized->against.verdict == Verdict::hurts);
  CHECK(one.nodes.at(2).slower == 0);
  CHECK(fleet_with(3).nodes.at(2).slower == 3);
}

TEST_CASE("of two nodes that differ none can be named", "[merge]") {
  const auto fleet = merged({node("n1", {{}}), node("n2", {RowText{.optimized_ns = 6e5}})});
  CHECK(fleet.compared());
  CHECK_FALSE(fleet.can_name());
  CHECK(fleet.nodes.at(0).faster == 1);
  CHECK(fleet.nodes.at(1).slower == 1);
}

TEST_CASE("a file of another class of machine is left out and says what differs", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[0]["tuneproof"]["fingerprint"]["hard"]["machine"]["cpu_model"] = "Another";
  const auto fleet = merged(nodes);
  CHECK(fleet.nodes.size() == 3);
  REQUIRE(fleet.left_out.size() == 1);
  CHECK(fleet.left_out[0].file == "0.json");
  CHECK(fleet.left_out[0].reason == "another class of machine: cpu_model is Another, not A CPU");
}

TEST_CASE("other settings and another program are other work, and left out", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[0]["tuneproof"]["session"]["threads"] = 8;
  nodes[3]["tuneproof"]["session"]["git"]["head"] = "def";
  const auto fleet = merged(nodes);
  CHECK(fleet.nodes.size() == 2);
  REQUIRE(fleet.left_out.size() == 2);
  CHECK(fleet.left_out[0].reason == "threads is 8, not 2");
  CHECK(fleet.left_out[1].reason == "the program is def, not abc");
}

TEST_CASE("another driver is worth a note and keeps its node in", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[1]["tuneproof"]["fingerprint"]["hard"]["software"]["driver"] = "570";
  nodes[3]["tuneproof"]["fingerprint"]["hard"]["software"]["driver"] = "570";
  const auto fleet = merged(nodes);
  CHECK(fleet.nodes.size() == 4);
  CHECK(fleet.warnings == std::vector<std::string>{"n2, n4: software.driver is 570, not 580 as on n1"});
}

TEST_CASE("files of no two alike leave nothing to compare", "[merge]") {
  auto other = node("n2", {{}});
  other["tuneproof"]["fingerprint"]["hard"]["machine"]["cpu_model"] = "Another";
  const auto fleet = merged({node("n1", {{}}), other});
  CHECK_FALSE(fleet.compared());
  CHECK(fleet.left_out.size() == 1);
  CHECK_FALSE(merged({node("n1", {{}}), node("n2", {RowText{.id = "sync/b/device:cpu"}})}).compared());
  CHECK_FALSE(merged({}).compared());
}

TEST_CASE("a row that failed on one node says so and leaves the others comparable", "[merge]") {
  auto nodes = example::one_slow_of_four();
  nodes[0] = node("n1", {});
  nodes[0]["tuneproof"]["errors"].push_back(example::error("sync/a/device:cpu", "failed", "signal 11"));
  const auto fleet = merged(nodes);
  CHECK(fleet.rows.at(0).nodes.at(0).note == "failed: signal 11");
  CHECK(fleet.nodes.at(0).times == 0);
  CHECK(fleet.nodes.at(3).slower == 1);
}

TEST_CASE("nodes that share a host's name go by their files", "[merge]") {
  const auto fleet = [] {
    auto second = node("vm", {{}});
    second["tuneproof"]["session"]["id"] = "another";
    return merged({node("vm", {{}}), second, node("n3", {{}})});
  }();
  CHECK(fleet.nodes.at(0).name == "0");
  CHECK(fleet.nodes.at(1).name == "1");
  CHECK(fleet.nodes.at(2).name == "n3");
}

TEST_CASE("the same session twice is a copy, and refused", "[merge]") {
  CHECK_THROWS_MATCHES(merged({node("n1", {{}}), node("n1", {{}})}), BadInput,
                       MessageMatches(ContainsSubstring("1.json: contains the same session as 0.json")));
}

TEST_CASE("a folder without results is refused, and a file is taken whatever its name", "[merge]") {
  const std::vector<std::string> folder{"tests/harness/compare"};
  CHECK_THROWS_MATCHES(fleet_files(folder), BadInput,
                       MessageMatches(ContainsSubstring("has no file that ends in .json or .json.gz")));
  const std::vector<std::string> file{"tests/harness/compare/fleet.hpp"};
  REQUIRE(fleet_files(file).size() == 1);
  CHECK(fleet_files(file).front().named);
}

TEST_CASE("of a folder the files in it are found by their names, packed or not, and none below", "[merge]") {
  const tests::Folder folder;
  folder.write("n2.json.gz", "");
  folder.write("n1.json", "");
  folder.write("n1.txt", "");
  std::filesystem::create_directory(folder.path() / "below");
  folder.write("below/n3.json", "");
  const std::vector<std::string> paths{folder.path().string()};
  const auto files = fleet_files(paths);
  REQUIRE(files.size() == 2);
  CHECK(files[0].path == folder.path() / "n1.json");
  CHECK(files[1].path == folder.path() / "n2.json.gz");
  CHECK_FALSE(files[0].named);
}
