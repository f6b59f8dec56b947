// Figures beside the times, and rows that are judged by one.
#include "tests/harness/core/bench.hpp"

#include "harness/core/verdict.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <cmath>

using namespace harness;
using example::Bench;

TEST_CASE("figures are asked for once, when the rehearsal has run both forms", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  for (auto& set : sets)
    set.figures = [&] {
      bench.diary.emplace_back("figures");
      return std::vector<Figure>{{"copies", "calls", 4, 2}};
    };
  CHECK(bench.rehearse(sets).figures.size() == 1);
  CHECK(std::ranges::count(bench.diary, "figures") == 1);
  CHECK(bench.diary.back() == "figures");
  bench.run(sets);
  CHECK(std::ranges::count(bench.diary, "figures") == 1);
}

namespace {

/// Two sets that are judged by what the optimized form takes of memory where the naive one takes 4.
std::array<Trial, 2> judged_by_memory(Bench& bench, double optimized) {
  auto sets = bench.sets();
  for (auto& set : sets) {
    set.statistic = Statistic::figure;
    set.figures = [=] { return std::vector<Figure>{{"peak memory", "MiB", 4, optimized}}; };
  }
  return sets;
}

}  // namespace

TEST_CASE("where memory is the result, a form that takes more of it hurts, however fast it is", "[measure]") {
  Bench bench;  // twice as fast
  const auto round = bench.run(judged_by_memory(bench, 5));
  REQUIRE(round.log_ratios.size() == 1);
  const auto judged = judge(std::vector<double>(14, round.log_ratios[0]), {});
  CHECK(judged.verdict == Verdict::hurts);
  CHECK(judged.ratio == Catch::Approx(1.25));
  REQUIRE(judged.ratio_interval);
  CHECK(judged.ratio_interval->low == judged.ratio_interval->high);
  CHECK(judged.flags.empty());
}

TEST_CASE("where memory is the result, a form that takes less of it helps", "[measure]") {
  Bench bench;
  const auto round = bench.run(judged_by_memory(bench, 2));
  CHECK(judge(std::vector<double>(14, round.log_ratios.at(0)), {}).verdict == Verdict::helps);
}

TEST_CASE("on a device a figure is asked for when both forms have run on both sets", "[measure]") {
  Bench bench;
  bench.plan.run_first = true;
  auto sets = bench.sets();
  int runs = 0;
  for (auto& set : sets) {
    set.statistic = Statistic::figure;
    set.naive = set.optimized = [&] { ++runs; };
    // The first run of the process takes a library's workspace, which stays.
    set.figures = [&] { return std::vector<Figure>{{"peak memory", "MiB", runs < 4 ? 36.0 : 4.0, 5}}; };
  }
  CHECK(bench.run(sets).log_ratios.at(0) == Catch::Approx(std::log(5.0 / 4)));
  CHECK(bench.diary.back() == "drain");
}

TEST_CASE("a round that asks for a figure times nothing: a sample for each form and set", "[measure]") {
  Bench bench;
  const auto round = bench.run(judged_by_memory(bench, 5));
  CHECK(std::ranges::find(bench.diary, "mark") == bench.diary.end());
  REQUIRE(round.samples.size() == 4);
  for (const auto& sample : round.samples) CHECK(sample.seconds == (sample.form == Form::naive ? 4 : 5));
}

TEST_CASE("beside a judged figure the rehearsal says how long a run takes", "[measure]") {
  Bench bench;
  const auto rehearsed = bench.rehearse(judged_by_memory(bench, 5));
  REQUIRE(rehearsed.figures.size() == 2);
  CHECK(rehearsed.figures[0].name == "peak memory");
  CHECK(rehearsed.figures[1].unit == "s");
  CHECK(rehearsed.figures[1].naive == Catch::Approx(0.030));
  CHECK(rehearsed.figures[1].optimized == Catch::Approx(0.015));
}

TEST_CASE("a judged figure of nothing is an error, not a ratio", "[measure]") {
  Bench bench;
  CHECK_THROWS_AS(bench.run(judged_by_memory(bench, 0)), std::runtime_error);
}
