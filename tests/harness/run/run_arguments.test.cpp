#include "harness/run/run_arguments.hpp"

#include <CLI/CLI.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <string>
#include <vector>

namespace harness::run {
using namespace catalogue;
namespace {

/// The plan of "run" followed by these words, with one workload that has an option.
RunPlan plan(std::vector<std::string> words) {
  const Catalogue catalogue{{}, {{"--scale", "FACTOR", "Size of the data set", ""}}};
  CLI::App run("run");
  RunArguments arguments;
  declare(run, arguments, catalogue);
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 takes them
  run.parse(std::move(reversed));
  return plan_run(arguments);
}

TEST_CASE("Without a pattern the quick suite runs, with one all of its points", "[run_arguments]") {
  CHECK(plan({}).selection.suite == Suite::quick);
  CHECK(plan({"sync/*"}).selection.suite == Suite::full);
  CHECK(plan({"sync/*", "--suite", "quick"}).selection.suite == Suite::quick);
  CHECK(plan({"--suite", "full"}).selection.suite == Suite::full);
  CHECK(plan({"--suite", "claims"}).selection.suite == Suite::claims);
}

TEST_CASE("Rounds are allotted unless as many for every row are asked for", "[run_arguments]") {
  CHECK(plan({}).session.allotted);
  CHECK(plan({}).session.looks == std::vector{10, 14, 21, 35, 56});
  CHECK_FALSE(plan({"--looks", "1"}).session.allotted);
  CHECK(plan({"--looks", "1"}).session.looks == std::vector{14});
  CHECK(plan({"--looks", "3"}).session.looks == std::vector{14, 28, 56});
}

TEST_CASE("Only where rounds are allotted what is plain is decided early", "[run_arguments]") {
  CHECK(plan({}).session.early == std::vector{3, 4, 6});
  CHECK(plan({"--looks", "1"}).session.early.empty());
}

TEST_CASE("Pairs follow from the share of a round that is timed unless they are given", "[run_arguments]") {
  CHECK(plan({}).session.pairs == 1);
  CHECK(plan({}).session.pairs_by_share);
  CHECK(plan({"--pairs", "1"}).session.pairs == 1);
  CHECK_FALSE(plan({"--pairs", "1"}).session.pairs_by_share);
  CHECK(plan({"--pairs", "4"}).session.pairs == 4);
}

TEST_CASE("The device is chosen by the session unless it is named", "[run_arguments]") {
  CHECK(plan({}).selection.device.automatic);
  const auto named = plan({"--device", "cuda:2"}).selection.device;
  CHECK_FALSE(named.automatic);
  CHECK(named.device == Device{Device::Kind::cuda, 2});
}

TEST_CASE("An option of a workload is passed on only if it is given", "[run_arguments]") {
  CHECK(plan({}).session.options.empty());
  CHECK(plan({"--scale", "0.1"}).session.options == Options{{"scale", "0.1"}});
  CHECK_THROWS_AS(plan({"--epochs", "3"}), CLI::ParseError);
}

TEST_CASE("Points may be given more than once, before or behind a pattern", "[run_arguments]") {
  const auto two = plan({"--point", "bytes=1M", "sync/*", "--point", "n=2"}).selection;
  CHECK(two.points == std::vector<std::string>{"bytes=1M", "n=2"});
  CHECK(two.patterns == std::vector<std::string>{"sync/*"});
}

TEST_CASE("A seed is read as it stands in a results file, or in decimal", "[run_arguments]") {
  CHECK(plan({"--seed", "0xffffffffffffffff"}).session.seed == 0xffff'ffff'ffff'ffffu);
  CHECK(plan({"--seed", "7"}).session.seed == 7);
  CHECK_THROWS_WITH(plan({"--seed", "-1"}), "--seed '-1': expected a whole number from 0 to 2^64 - 1");
  CHECK_THROWS_AS(plan({"--seed", "0x1ffffffffffffffff"}), BadInput);
}

TEST_CASE("A thread is used on each core unless a number is given", "[run_arguments]") {
  CHECK(plan({}).session.threads >= 1);
  CHECK(plan({"--threads", "3"}).session.threads == 3);
  CHECK_THROWS_AS(plan({"--threads", "0"}), CLI::ParseError);
}

}  // namespace
}  // namespace harness::run
