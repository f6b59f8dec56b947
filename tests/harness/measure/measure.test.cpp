#include "harness/measure/measure.hpp"

#include "tests/harness/measure/fake_clock.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <map>
#include <tuple>

using namespace harness;
using example::Diary;
using example::FakeClock;

namespace {

/// Two sets whose forms take fixed times on a fake clock, and note what happens.
struct Bench {
  Diary diary;
  FakeClock clock{&diary};
  double naive = 0.030;
  double optimized = 0.015;
  double second_set = 1;  // its runs take so much longer: an accident of addresses
  bool agree = true;
  Plan plan{.rule = {}, .tolerance = {}, .seed = 42, .progress = {}, .out_of_time = {}};

  Trial set(int index) {
    const auto factor = index == 0 ? 1 : second_set;
    const auto form = [this, factor](const char* name, const double& seconds) {
      return [this, factor, name, &seconds] {
        diary.emplace_back(name);
        clock.pass(seconds * factor);
      };
    };
    return {.naive = form("naive", naive),
            .optimized = form("optimized", optimized),
            .clear = [this] { diary.emplace_back("clear"); },
            .answer = [this](Form which) -> Answer {
              return std::vector<float>{agree || which == Form::naive ? 1.0F : 2.0F};
            }};
  }
  std::array<Trial, 2> sets() { return {set(0), set(1)}; }
  Measurement run(const std::array<Trial, 2>& both) { return Measurer(clock, both, plan).run(); }
  Measurement run() { return run(sets()); }
};

}  // namespace

TEST_CASE("forms that disagree are never timed", "[measure]") {
  Bench bench;
  bench.agree = false;
  CHECK_THROWS_AS(bench.run(), Disagreement);
  CHECK(std::ranges::find(bench.diary, "mark") == bench.diary.end());
}

TEST_CASE("both sets are compared before anything is timed", "[measure]") {
  Bench bench;
  bench.run();
  const auto first_mark = std::ranges::find(bench.diary, "mark");
  CHECK(std::count(bench.diary.begin(), first_mark, "clear") == 6);  // two forms on two sets, then once each
}

TEST_CASE("a form twice as fast has the log ratio ln(1/2) in every unit", "[measure]") {
  Bench bench;
  const auto measured = bench.run();
  REQUIRE(measured.log_ratios.size() == 14);
  for (const auto ratio : measured.log_ratios) CHECK(ratio == Catch::Approx(std::log(0.5)));
}

TEST_CASE("a set that is slower for both forms cancels within a unit", "[measure]") {
  Bench bench;
  bench.second_set = 1.5;
  for (const auto ratio : bench.run().log_ratios) CHECK(ratio == Catch::Approx(std::log(0.5)));
}

TEST_CASE("a unit is eight slots, four of each form, two of each form on each set", "[measure]") {
  Bench bench;
  const auto measured = bench.run();
  CHECK(measured.samples.size() == 14 * 8);
  std::map<std::tuple<int, Form, int>, int> counts;
  for (const auto& sample : measured.samples) ++counts[{sample.unit, sample.form, sample.set}];
  CHECK(counts.size() == 14 * 4);
  for (const auto& [which, count] : counts) CHECK(count == 2);
}

TEST_CASE("a sample says the seconds of one run, and its place", "[measure]") {
  Bench bench;
  const auto measured = bench.run();
  for (const auto& sample : measured.samples)
    CHECK(sample.seconds == Catch::Approx(sample.form == Form::naive ? 0.030 : 0.015));
  CHECK(measured.samples[0].slot == 0);
  CHECK(measured.samples[7].quad == 1);
  CHECK(measured.samples[7].slot == 3);
  CHECK(measured.samples[8].unit == 1);
}

TEST_CASE("both forms run equally often in a slot: as often as the slower one needs", "[measure]") {
  Bench bench;
  bench.naive = 0.010;
  bench.optimized = 0.001;
  CHECK(bench.run().iterations == 3);  // 1.2 x 20 ms / 10 ms, rounded up
}

TEST_CASE("the same seed takes the slots in the same order, another seed in another", "[measure]") {
  const auto order = [](std::uint64_t seed) {
    Bench bench;
    bench.plan.seed = seed;
    std::vector<std::pair<Form, int>> slots;
    for (const auto& sample : bench.run().samples) slots.emplace_back(sample.form, sample.set);
    return slots;
  };
  CHECK(order(1) == order(1));
  CHECK(order(1) != order(2));
}

TEST_CASE("a verdict that stands at the first look ends the row", "[measure]") {
  Bench bench;
  bench.plan.rule.looks = {14, 28, 56};
  CHECK(bench.run().log_ratios.size() == 14);
}

TEST_CASE("a row that cannot be told goes on to the last look", "[measure]") {
  Bench bench;
  bench.plan.rule.looks = {14, 28, 56};
  bench.plan.progress = [&](int unit, int) { bench.optimized = bench.naive * (unit % 2 == 0 ? 0.9 : 1.1); };
  CHECK(bench.run().log_ratios.size() == 56);
}

TEST_CASE("progress counts the units up to the next look", "[measure]") {
  Bench bench;
  std::vector<std::pair<int, int>> calls;
  bench.plan.progress = [&](int done, int of) { calls.emplace_back(done, of); };
  bench.run();
  CHECK(calls.size() == 14);
  CHECK(calls.front() == std::pair(1, 14));
  CHECK(calls.back() == std::pair(14, 14));
}

TEST_CASE("when time is up the unit in flight is the last, and the row cannot tell", "[measure]") {
  Bench bench;
  int units = 0;
  bench.plan.progress = [&](int done, int) { units = done; };
  bench.plan.out_of_time = [&] { return units >= 5; };
  const auto measured = bench.run();
  CHECK(measured.log_ratios.size() == 5);
  CHECK(judge(measured.log_ratios, bench.plan.rule).verdict == Verdict::inconclusive);
}

TEST_CASE("a slot in which the clock stands still is an error, not a ratio", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  for (auto& set : sets)
    set.before_slot = [&, slots = 0](Form) mutable {
      if (++slots == 9) bench.naive = bench.optimized = 0;
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
    REQUIRE(bench.diary[i + 1] == "drain");
    REQUIRE(bench.diary[i + 3] == form);
  }
}

TEST_CASE("figures are asked for once, after the last slot", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  for (auto& set : sets)
    set.figures = [&] {
      bench.diary.emplace_back("figures");
      return std::vector<Figure>{{"copies", "calls", 4, 2}};
    };
  CHECK(bench.run(sets).figures.size() == 1);
  CHECK(std::ranges::count(bench.diary, "figures") == 1);
  CHECK(bench.diary.back() == "figures");
}

TEST_CASE("what a form throws reaches the caller", "[measure]") {
  Bench bench;
  auto sets = bench.sets();
  sets[1].optimized = [] { throw std::runtime_error("batch 3"); };
  CHECK_THROWS_AS(bench.run(sets), std::runtime_error);
}
