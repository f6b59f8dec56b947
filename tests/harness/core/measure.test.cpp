#include "harness/core/measure.hpp"

#include "tests/harness/core/bench.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

using namespace harness;
using example::Bench;

TEST_CASE("forms that disagree are never timed", "[measure]") {
  Bench bench;
  bench.agree = false;
  CHECK_THROWS_AS(bench.rehearse(), Disagreement);
  CHECK(std::ranges::find(bench.diary, "mark") == bench.diary.end());
}

TEST_CASE("both sets are compared before anything is timed", "[measure]") {
  Bench bench;
  bench.rehearse();
  const auto first_mark = std::ranges::find(bench.diary, "mark");
  CHECK(std::count(bench.diary.begin(), first_mark, "clear") == 6);  // two forms on two sets, then once each
}

TEST_CASE("a rehearsal gives no samples: it is of another kind than a round", "[measure]") {
  Bench bench;
  const auto measured = bench.rehearse();
  CHECK(measured.samples.empty());
  CHECK(measured.log_ratios.empty());
}

TEST_CASE("a form twice as fast has the log ratio ln(1/2)", "[measure]") {
  Bench bench;
  const auto measured = bench.run();
  REQUIRE(measured.log_ratios.size() == 1);
  CHECK(measured.log_ratios[0] == Catch::Approx(std::log(0.5)));
}

TEST_CASE("a set that is slower for both forms cancels within a round", "[measure]") {
  Bench bench;
  bench.second_set = 1.5;
  CHECK(bench.run().log_ratios[0] == Catch::Approx(std::log(0.5)));
}

TEST_CASE("a crossed pair is eight slots, two of each form on each set", "[measure]") {
  Bench bench;
  bench.plan.pairs = 3;
  const auto measured = bench.run();
  CHECK(measured.samples.size() == 3 * 8);
  std::map<std::tuple<int, Form, int>, int> counts;
  for (const auto& sample : measured.samples) ++counts[{sample.pair, sample.form, sample.set}];
  CHECK(counts.size() == 3 * 4);
  for (const auto& [which, count] : counts) CHECK(count == 2);
}

TEST_CASE("more pairs in a round are one log ratio: their mean", "[measure]") {
  Bench bench;
  bench.plan.pairs = 2;
  bench.optimized = bench.naive;
  auto sets = bench.sets();
  int slots = 0;
  for (auto& set : sets)
    set.before_slot = [&](Form) {
      if (++slots == 9) bench.optimized = bench.naive / 2;  // from the second pair on
    };
  CHECK(bench.run(sets).log_ratios[0] == Catch::Approx(std::log(0.5) / 2));
}

TEST_CASE("a sample says the seconds of one run, and its place", "[measure]") {
  Bench bench;
  bench.plan.round = 4;
  bench.plan.pairs = 2;
  const auto measured = bench.run();
  for (const auto& sample : measured.samples) {
    CHECK(sample.seconds == Catch::Approx(sample.form == Form::naive ? 0.030 : 0.015));
    CHECK(sample.round == 4);
  }
  CHECK(measured.samples[0].slot == 0);
  CHECK(measured.samples[7].quad == 1);
  CHECK(measured.samples[7].slot == 3);
  CHECK(measured.samples[8].pair == 1);
}

TEST_CASE("both forms run equally often in a slot: as often as the slower one needs", "[measure]") {
  Bench bench;
  bench.naive = 0.010;
  bench.optimized = 0.001;
  CHECK(bench.rehearse().iterations == 3);  // 1.2 x 20 ms / 10 ms, rounded up
}

TEST_CASE("pipelined forms have their own numbers of runs, in whole multiples", "[measure]") {
  Bench bench;
  bench.naive = 0.150;
  bench.optimized = 0.002;
  auto sets = bench.sets();
  for (auto& set : sets) {
    set.whole_slot = true;
    set.slot_multiple = 7;
  }
  const auto rehearsed = bench.rehearse(sets);
  CHECK(rehearsed.runs_of(Form::naive) == 7);
  CHECK(rehearsed.runs_of(Form::optimized) == 14);  // 12 for 20 ms
}

TEST_CASE("a round runs each form as often as its plan says", "[measure]") {
  Bench bench;
  bench.plan.iterations = 2;
  bench.plan.optimized_iterations = 5;
  bench.run();
  CHECK(std::ranges::count(bench.diary, "naive") == 4 * (1 + 2));
  CHECK(std::ranges::count(bench.diary, "optimized") == 4 * (1 + 5));
}

TEST_CASE("a round runs as often in a slot as its plan says, and calibrates nothing", "[measure]") {
  Bench bench;
  bench.plan.iterations = 5;
  CHECK(bench.run().iterations == 5);
  CHECK(std::ranges::count(bench.diary, "naive") == 4 * (1 + 5));  // each slot warms up once
}

TEST_CASE("the same seed takes the slots in the same order, another seed in another", "[measure]") {
  const auto order = [](std::uint64_t seed) {
    Bench bench;
    bench.plan.seed = seed;
    bench.plan.pairs = 8;
    std::vector<std::pair<Form, int>> slots;
    for (const auto& sample : bench.run().samples) slots.emplace_back(sample.form, sample.set);
    return slots;
  };
  CHECK(order(1) == order(1));
  CHECK(order(1) != order(2));
}

TEST_CASE("a slot in which the clock stands still is an error, not a ratio", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  for (auto& set : sets)
    set.before_slot = [&, slots = 0](Form) mutable {
      if (++slots == 3) bench.naive = bench.optimized = 0;
    };
  CHECK_THROWS_AS(bench.run(sets), std::runtime_error);
}

TEST_CASE("before_slot and warm_up of the slot's own form open each slot", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  for (auto& set : sets) {
    set.before_slot = [&](Form form) { bench.diary.push_back("before " + std::string(to_string(form))); };
    set.warm_up = [&](Form form) { bench.diary.push_back("warm up " + std::string(to_string(form))); };
  }
  bench.run(sets);
  for (std::size_t i = 0; i + 4 < bench.diary.size(); ++i) {
    if (!bench.diary[i].starts_with("warm up ")) continue;
    const auto form = bench.diary[i].substr(8);
    REQUIRE(bench.diary[i - 1] == "before " + form);
    REQUIRE(bench.diary[i + 2] == "drain");
    REQUIRE(bench.diary[i + 4] == form);
  }
}

TEST_CASE("on a device each form runs once on each set before the first slot", "[measure]") {
  Bench bench;
  bench.plan.run_first = true;
  bench.plan.iterations = 3;
  bench.run();
  const auto first_slot = std::ranges::find(bench.diary, "prepare 4");
  CHECK(std::count(bench.diary.begin(), first_slot, "naive") +
            std::count(bench.diary.begin(), first_slot, "optimized") ==
        2 * 2 + 1);  // and the slot's own warm-up
}

TEST_CASE("a form of one long run is run before the first slot like any other", "[measure]") {
  Bench bench;
  bench.plan.run_first = true;
  bench.run();
  CHECK(std::ranges::count(bench.diary, "naive") == 2 + 4 * (1 + 1));
}

TEST_CASE("what a form throws reaches the caller", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  sets[1].optimized = [] { throw std::runtime_error("batch 3"); };
  CHECK_THROWS_AS(bench.run(sets), std::runtime_error);
}

TEST_CASE("a lesson in correctness is timed although its naive form is wrong, and says so", "[measure]") {
  Bench bench;
  bench.agree = false;
  auto sets = bench.sets();
  for (auto& set : sets) set.truth = []() -> Answer { return std::vector<float>{2}; };
  const auto rehearsed = bench.rehearse(sets);
  REQUIRE(rehearsed.figures.size() == 1);
  CHECK(rehearsed.figures[0].name == "wrong answers of 20");
  CHECK(rehearsed.figures[0].naive == 20);
  CHECK(rehearsed.iterations > 0);
}

TEST_CASE("a lesson on variability has slots of enough runs, whose value is their tail", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  for (auto& set : sets) set.statistic = Statistic::tail;
  CHECK(bench.rehearse(sets).iterations == tail_runs);
  bench.plan.iterations = tail_runs;
  const auto round = bench.run(sets);
  CHECK(round.statistic == Statistic::tail);
  for (const auto& sample : round.samples) CHECK(sample.seconds == Catch::Approx(1));
}
