// What early looks (docs/measuring.md 5) cost and bring: wrong verdicts, and rounds until a verdict, with and
// without them, on made noise, on recorded noise, and on the scatter of rows measured on an H200.
// The tables: build/tests_simulation "[early][.table]"
#include "tests/harness/core/looks_of.hpp"
#include "tests/harness/core/noise.hpp"
#include "tests/harness/core/recording.hpp"

#include "harness/core/allot.hpp"
#include "harness/core/median.hpp"
#include "harness/core/variance.hpp"
#include "harness/core/verdict.hpp"
#include "harness/results/results.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

using namespace harness;
using example::Noise;

namespace {

constexpr double delta = 0.03;
const double band = std::log1p(delta);
const Rule before{.looks = allotted_looks, .delta = delta};
const Rule after{.looks = allotted_looks, .delta = delta, .early = early_looks};

/// Noise with a median of 0.
struct Shape {
  std::string name;
  std::function<double(Noise&)> draw;
};

std::vector<Shape> made_shapes() {
  const auto gauss = [](Noise& noise, double sd) { return sd * noise.normal(); };
  return {
      {"normal 1 %", [=](Noise& n) { return gauss(n, 0.01); }},
      {"normal 3 %", [=](Noise& n) { return gauss(n, 0.03); }},
      {"normal 10 %", [=](Noise& n) { return gauss(n, 0.1); }},
      {"Student's t3, 3 %", [](Noise& n) { return 0.03 / std::sqrt(3.0) * n.student3(); }},
      {"Cauchy, 3 %", [](Noise& n) { return 0.03 * std::tan(3.141592653589793 * (n.uniform() - 0.5)); }},
      {"a fifth of the rounds 8 x wider",
       [=](Noise& n) { return gauss(n, n.uniform() < 0.2 ? 0.08 : 0.01); }},
      {"skewed, 5 %", [](Noise& n) { return 0.05 * (-std::log(n.uniform()) - std::log(2.0)); }},
      // The median of a mixture of which 40 % lie apart is the normal part's 5/6 quantile: 0.967 sd.
      {"two heaps, 40 % of the rounds 8 % apart",
       [=](Noise& n) { return gauss(n, 0.01) + (n.uniform() < 0.4 ? std::log(1.08) : 0.0) - 0.0097; }},
      {"two heaps, 40 % of the rounds 30 % apart",
       [=](Noise& n) { return gauss(n, 0.01) + (n.uniform() < 0.4 ? std::log(1.3) : 0.0) - 0.00967; }},
  };
}

/// Draws one of the values about their median.
Shape drawn_from(std::string name, std::vector<double> values) {
  const auto middle = median(values);
  return {std::move(name),
          [values = std::move(values), middle](Noise& n) { return values[n.below(values.size())] - middle; }};
}

std::vector<Shape> recorded_shapes(const std::string& recording) {
  std::vector<Shape> shapes;
  for (const auto& [workload, launches] : example::recorded(recording))
    shapes.push_back(drawn_from(recording + " " + workload, example::rounds(launches, 1, true)));
  return shapes;
}

/// The rows of a file that have ten rounds or more.
std::vector<results::Row> long_rows(const std::string& file) {
  auto read = results::read_results("results/h200/" + file);
  std::erase_if(read.rows, [](const results::Row& row) { return row.measured.log_ratios.size() < 10; });
  return std::move(read.rows);
}

/// One row's scatter has a dozen values. A round drawn is one of them and a fifth of another's distance from
/// the median, so that no two are equal.
Shape scatter_of(const results::Row& row) {
  auto values = row.measured.log_ratios;
  const auto middle = median(values);
  for (auto& value : values) value -= middle;
  return {row.name, [values = std::move(values)](Noise& n) {
            return values[n.below(values.size())] + 0.2 * values[n.below(values.size())] * n.normal();
          }};
}

/// Of all rows, or of those whose rounds do not fall into two heaps.
std::vector<Shape> gpu_shapes(bool heaps) {
  std::vector<Shape> shapes;
  for (const auto* const file : {"2026-11-26-7400cad.json.gz", "2026-11-26-7400cad-ladder.json.gz"})
    for (const auto& row : long_rows(file))
      if (heaps || !bimodal(row.measured.log_ratios, band)) shapes.push_back(scatter_of(row));
  return shapes;
}

bool claims(Verdict verdict) { return verdict == Verdict::helps || verdict == Verdict::hurts; }

/// False for a claim of the wrong sign, for one of an effect within the band, its edge included, and for "no
/// effect" of one outside of it.
bool is_right(Verdict verdict, double effect) {
  if (verdict == Verdict::no_effect) return std::abs(effect) < band;
  if (!claims(verdict)) return true;
  return std::abs(effect) > band + 1e-12 && (verdict == Verdict::hurts) == (effect > 0);
}

struct Outcome {
  int trials = 0, wrong = 0, soon = 0;  // soon: decided within 14 rounds
  double rounds = 0;
  double share_wrong() const { return 100.0 * wrong / trials; }
};

void add(Outcome& sum, const Shape& shape, double effect, const Rule& rule, int trials, std::uint64_t seed) {
  Noise noise(seed);
  for (int trial = 0; trial < trials; ++trial) {
    const auto decision = example::decide(rule, [&] { return effect + shape.draw(noise); });
    ++sum.trials;
    sum.wrong += is_right(decision.verdict, effect) ? 0 : 1;
    sum.soon += decision.verdict != Verdict::inconclusive && decision.units <= 14 ? 1 : 0;
    sum.rounds += static_cast<double>(decision.units);
  }
}

Outcome outcome(const std::vector<Shape>& shapes, double effect, const Rule& rule, int trials) {
  Outcome sum;
  std::uint64_t seed = 71;
  for (const auto& shape : shapes) add(sum, shape, effect, rule, trials, seed++);
  return sum;
}

void print_errors(const std::string& name, const std::vector<Shape>& shapes, int trials) {
  std::printf("| %s |", name.c_str());
  for (const auto effect : {0.0, band, -band, 1.3 * band})
    std::printf(" %.3f -> %.3f %% |", outcome(shapes, effect, before, trials).share_wrong(),
                outcome(shapes, effect, after, trials).share_wrong());
  std::puts("");
}

void print_rounds(const std::string& name, const std::vector<Shape>& shapes, int trials) {
  std::printf("| %s |", name.c_str());
  for (const auto change : {0.9, 0.8, 0.5, 0.1}) {
    const auto was = outcome(shapes, std::log(change), before, trials);
    const auto is = outcome(shapes, std::log(change), after, trials);
    std::printf(" %.1f -> %.1f |", was.rounds / was.trials, is.rounds / is.trials);
  }
  std::puts("");
}

/// Variance of a round's ratio that arises within the round: of the mean of its quads, from how they differ.
double within_rounds(const results::Row& row) {
  std::map<std::pair<int, int>, double> quads;
  for (const auto& slot : row.measured.samples)
    quads[{slot.round, slot.quad}] += (slot.form == Form::naive ? -0.5 : 0.5) * std::log(slot.seconds);
  double sum = 0;
  int rounds = 0;
  for (const auto& [key, d] : quads)
    if (key.second == 0 && quads.contains({key.first, 1})) {
      sum += std::pow(d - quads.at({key.first, 1}), 2) / 4;
      ++rounds;
    }
  return rounds > 0 ? sum / rounds : 0;
}

double variance_of(const std::vector<double>& values) {
  double mean = 0, sum = 0;
  for (const auto value : values) mean += value / static_cast<double>(values.size());
  for (const auto value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size() - 1);
}

/// The row's scatter where a slot has so many steps: what arises within a round is averaged over them.
Shape with_steps(const results::Row& row, int steps) {
  const auto all = variance_of(row.measured.log_ratios);
  const auto within = std::min(all, within_rounds(row));
  const auto scale = std::sqrt((all - within + within / steps) / all);
  const auto shape = scatter_of(row);
  return {shape.name, [=](Noise& n) { return scale * shape.draw(n); }};
}

}  // namespace

/// The verdict of a recorded row at its early looks, and the rounds that it takes: ten where it has none
/// there.
example::Decision early_decision(const results::Row& row) {
  auto rule = after;
  rule.delta = row.delta;
  for (const auto look : early_looks) {
    const auto taken = std::span(row.measured.log_ratios).first(static_cast<std::size_t>(look));
    const auto verdict = judge(taken, rule).verdict;
    if (verdict != Verdict::inconclusive) return {verdict, taken.size()};
  }
  return {Verdict::inconclusive, 10};
}

/// The first ten rounds of a recorded session: their seconds as they were, and without the rows that early
/// looks decide.
void print_session(const std::string& file) {
  const auto read = results::read_results(file);
  std::map<std::size_t, int> decided;
  std::vector<double> seconds(10, 0);
  double whole = 0, rows = 0;
  for (std::size_t round = 0; round < 10; ++round) whole += read.rounds[round].seconds;
  for (const auto& row : read.rows) {
    const auto taken = row.measured.log_ratios.size();
    if (taken < 10) continue;
    const auto decision = early_decision(row);
    ++decided[decision.units];
    const auto own = row.row_seconds / static_cast<double>(1 + taken);
    rows += own;
    for (std::size_t round = 0; round < decision.units; ++round) seconds[round] += own;
  }
  double with = 0;
  for (const auto own : seconds) with += own > 0 ? own + whole / 10 - rows : 0;
  std::printf("| %s | %d | %d | %d | %d | %.0f -> %.0f s |\n", file.c_str(), decided[3], decided[4],
              decided[6], decided[10], whole, with);
}

TEST_CASE("the rows measured on an H200 get no other verdict early, and 23 of the 28 quick ones get it so",
          "[early]") {
  int early = 0;
  for (const auto* const file : {"2026-11-26-7400cad.json.gz", "2026-11-26-7400cad-ladder.json.gz"})
    for (const auto& row : long_rows(file)) {
      INFO(row.name);
      const auto verdict = early_decision(row).verdict;
      if (verdict == Verdict::inconclusive) continue;
      CHECK(verdict == row.judged.verdict);
      early += row.step.starts_with("stgym/") ? 0 : 1;
    }
  CHECK(early == 23);
}

TEST_CASE("early looks add no more wrong verdicts than the tenth of the error that is theirs", "[early]") {
  constexpr int trials = 2000;
  const auto most = trials * 0.001 + 3 * std::sqrt(trials * 0.001);
  auto shapes = made_shapes();
  shapes.resize(shapes.size() - 3);  // neither skewed nor in heaps: noise that thins out from its median on
  for (const auto& shape : shapes)
    for (const auto effect : {0.0, band, -band, 1.3 * band}) {
      INFO(shape.name << ", effect " << effect);
      const auto with = outcome({shape}, effect, after, trials).wrong;
      CHECK(with <= outcome({shape}, effect, before, trials).wrong + most);
    }
}

TEST_CASE("without the bar of three bands heaps 8 % apart would deceive more rows than with it", "[early]") {
  const auto heaps = made_shapes()[7];
  Noise noise(72);
  int with = 0, without = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::vector<double> units(6);
    for (auto& unit : units) unit = heaps.draw(noise);
    const auto range = *widened_range(units, after.alpha_early());
    without += claims(judge_interval(range, delta)) ? 1 : 0;
    with += claims(judge_early(units, range, after)) ? 1 : 0;
  }
  CHECK(with <= 2);
  CHECK(without >= 5);
}

namespace {

/// What a run of either command meets: the number of the round and its place in it.
using RunNoise = std::function<double(Noise&, int round, int place)>;

/// A session of `versus`, up to its last look; each round has two runs of each command.
Verdict session_of(const RunNoise& run, double effect, Noise& noise, bool by_processes, bool counted) {
  UnitEvidence evidence;
  std::vector<double> first, other;
  for (const auto look : example::looks_of(after)) {
    while (std::ssize(evidence.log_ratios) < look) {
      const bool first_outside = noise.uniform() < 0.5;
      double ratio = 0;
      for (int place = 0; place < 4; ++place) {
        const auto value = run(noise, static_cast<int>(evidence.log_ratios.size()), place);
        const bool is_first = first_outside == (place == 0 || place == 3);
        (is_first ? first : other).push_back(is_first ? value : value + effect);
        ratio += (is_first ? -first.back() : other.back()) / 2;
      }
      evidence.log_ratios.push_back(ratio);
    }
    const auto range = [](const std::vector<double>& values) {
      const auto [least, most] = std::ranges::minmax(values);
      return Interval{least, most};
    };
    if (by_processes)
      evidence.processes = Processes{.naive = range(first),
                                     .optimized = range(other),
                                     .of_each = static_cast<int>(first.size()),
                                     .counted = counted};
    if (const auto verdict = judge(evidence, after).verdict; verdict != Verdict::inconclusive) return verdict;
  }
  return Verdict::inconclusive;
}

/// How many of so many sessions were told wrongly; `told`: how many were told.
int wrong_sessions(const RunNoise& run, double effect, int trials, bool by_processes, int& told) {
  Noise noise(74);
  int wrong = 0;
  told = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto verdict = session_of(run, effect, noise, by_processes, false);
    told += verdict == Verdict::inconclusive ? 0 : 1;
    wrong += verdict != Verdict::inconclusive && (effect != 0 || claims(verdict)) ? 1 : 0;
  }
  return wrong;
}

}  // namespace

TEST_CASE("equal commands whose counts lie in two heaps are told apart in at most a tenth of the error",
          "[early]") {
  constexpr int trials = 50'000;
  Noise noise(73);
  int claimed = 0;
  const RunNoise heaps = [](Noise& n, int, int) { return n.uniform() < 0.5 ? 0.05 : 0.0; };
  for (int trial = 0; trial < trials; ++trial)
    claimed += claims(session_of(heaps, 0, noise, true, true)) ? 1 : 0;
  // 2 x (4^-6 + 4^-8 + 4^-12) of them early, 26, and those of the other looks.
  CHECK(claimed > 0);
  CHECK(claimed <= trials / 1000);
}

TEST_CASE("processes that lie apart tell no more commands wrongly than the error", "[early]") {
  constexpr int trials = 1000;
  const auto normal = [](double sd) -> RunNoise {
    return [sd](Noise& n, int, int) { return sd * n.normal(); };
  };
  const auto heaps = [](double apart) -> RunNoise {
    return [apart](Noise& n, int, int) { return 0.005 * n.normal() + (n.uniform() < 0.4 ? apart : 0.0); };
  };
  const std::pair<const char*, RunNoise> kinds[] = {
      {"1 %", normal(0.01)},
      {"5 %", normal(0.05)},
      {"20 %", normal(0.2)},
      {"heaps 5 % apart", heaps(0.05)},
      {"heaps 30 % apart", heaps(0.3)},
      {"a drift",
       [](Noise& n, int round, int place) { return 0.01 * n.normal() + 0.02 * (4 * round + place); }},
      {"a pause in one of 20 runs",
       [](Noise& n, int, int) { return 0.01 * n.normal() + (n.uniform() < 0.05 ? 0.3 : 0.0); }}};
  for (const auto& [name, run] : kinds) {
    INFO(name);
    int told = 0, without = 0;
    for (const auto effect : {0.0, band, -band}) {
      const auto wrong = wrong_sessions(run, effect, trials, true, told);
      CHECK(wrong <= wrong_sessions(run, effect, trials, false, without) + 3 * std::sqrt(0.01 * trials));
    }
    wrong_sessions(run, std::log(1.8), trials, false, without);
    wrong_sessions(run, std::log(1.8), trials, true, told);
    CHECK(told >= without - trials / 100);
  }
}

TEST_CASE("of commands of one median, one of which scatters further, processes tell at most 0.2 % apart",
          "[early]") {
  constexpr int trials = 20'000;
  const std::pair<const char*, std::function<double(Noise&)>> kinds[] = {
      {"normal", [](Noise& n) { return n.normal(); }},
      {"exponential", [](Noise& n) { return -std::log(n.uniform()) - std::log(2.0); }}};
  for (const auto& [name, draw] : kinds)
    for (const auto wider : {2.0, 3.0, 5.0, 10.0}) {
      INFO(name << ", " << wider << " times as far");
      Noise noise(75);
      const auto range = [&](double scale) {
        Interval seen{1e9, -1e9};
        for (int i = 0; i < 8; ++i) {
          const auto value = scale * draw(noise);
          seen = {std::min(seen.low, value), std::max(seen.high, value)};
        }
        return seen;
      };
      int told = 0;
      for (int trial = 0; trial < trials; ++trial) {
        const auto seen =
            process_interval({.naive = range(1), .optimized = range(wider), .of_each = 8}, after);
        told += seen && (seen->low > 0 || seen->high < 0) ? 1 : 0;
      }
      CHECK(told <= trials / 500);
    }
}

TEST_CASE("on recorded noise early looks add at most 3 wrong verdicts in 6,000 rows of identical code",
          "[early]") {
  for (const auto* const name : {"quiet", "noisy"}) {
    INFO(name);
    const auto shapes = recorded_shapes(name);
    CHECK(outcome(shapes, 0, after, 1000).wrong <= outcome(shapes, 0, before, 1000).wrong + 3);
  }
}

TEST_CASE("a change by half is decided within four rounds where rounds scatter by 1 %, a tenth within ten",
          "[early]") {
  const auto quiet = made_shapes()[0];
  CHECK(outcome({quiet}, std::log(0.5), after, 500).rounds <= 4 * 500);
  CHECK(outcome({quiet}, std::log(0.9), after, 500).rounds <= 10 * 500);
  CHECK(outcome({quiet}, std::log(0.5), before, 500).rounds >= 10 * 500);
}

TEST_CASE("the tables of docs/measuring.md: early looks", "[early][.table]") {
  const auto gpu = gpu_shapes(true);
  std::puts("| noise | true effect 0 | delta | -delta | 1.3 delta |\n|---|---:|---:|---:|---:|");
  for (const auto& shape : made_shapes()) print_errors(shape.name, {shape}, 20'000);
  for (const auto* const name : {"quiet", "noisy"}) print_errors(name, recorded_shapes(name), 4000);
  print_errors("H200", gpu, 1000);
  print_errors("H200 without rows in two heaps", gpu_shapes(false), 1000);
  std::puts("\n| noise | -10 % | -20 % | -50 % | -90 % |\n|---|---:|---:|---:|---:|");
  for (const auto& shape : made_shapes()) print_rounds(shape.name, {shape}, 2000);
  for (const auto* const name : {"quiet", "noisy"}) print_rounds(name, recorded_shapes(name), 500);
  print_rounds("H200", gpu, 100);
}

TEST_CASE("the table of docs/measuring.md: recorded sessions", "[early][.table]") {
  std::puts("| file | after 3 | 4 | 6 | later | ten rounds |\n|---|---:|---:|---:|---:|---:|");
  print_session("results/h200/2026-11-26-7400cad.json.gz");
  print_session("results/h200/2026-11-26-7400cad-ladder.json.gz");
  print_session("results/cpu-amd-epyc-2-cores/2026-11-26-3073142.json.gz");
  print_session("results/cpu-amd-epyc-2-cores/2026-11-26-03cee4c-full.json.gz");
}

TEST_CASE("the table of docs/measuring.md: rungs decided within 14 rounds", "[early][.table]") {
  std::puts("| rung | steps a slot | decided within 14 rounds | rounds, 56 at most |\n|---|---:|---:|---:|");
  for (const auto& row : long_rows("2026-11-26-7400cad-ladder.json.gz"))
    for (const auto steps : {1, 3, 7}) {
      const auto shape = with_steps(row, steps);
      const auto effect = median(row.measured.log_ratios);
      auto was = before, is = after;
      was.delta = is.delta = row.delta;
      constexpr int trials = 4000;
      const auto then = outcome({shape}, effect, was, trials), now = outcome({shape}, effect, is, trials);
      std::printf("| %s (%+.1f %%) | %d | %.0f -> %.0f %% | %.1f -> %.1f |\n", row.step.c_str(),
                  100 * std::expm1(effect), steps, 100.0 * then.soon / trials, 100.0 * now.soon / trials,
                  then.rounds / trials, now.rounds / trials);
    }
}
