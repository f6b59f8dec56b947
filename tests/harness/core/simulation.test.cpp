// The error rates of the whole decision (docs/measuring.md 5) on ten shapes of noise: 2,000 rows each, three
// looks.
#include "tests/harness/core/looks_of.hpp"
#include "tests/harness/core/noise.hpp"

#include "harness/core/gate.hpp"
#include "harness/core/variance.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/benchmark/catch_benchmark.hpp>
#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cmath>
#include <string_view>

using namespace harness;
using example::Noise;

namespace {

constexpr int trials = 2000;
const Rule rule{.looks = {14, 28, 56}, .delta = 0.02};

/// The noise of one unit. `median` is where it lies without an effect: effects are added to it.
struct Shape {
  std::string_view name;
  double (*draw)(Noise&);
  int least_found;  // of 2,000 rows that are 5 % slower
};

double gauss(Noise& noise, double sd) { return sd * noise.normal(); }

double one_sided_spike(Noise& noise) {
  // One variant is slowed in a fifth of the rounds; the median moves with them, so it is taken off.
  const auto spike = noise.uniform() < 0.2 ? -0.15 * noise.uniform() : 0.0;
  return gauss(noise, 0.01) + spike + 0.0026;
}

double bimodal_form(Noise& noise) {
  // One variant is 8 % slower in 40 % of the rounds; the median of the mixture lies at -0.0086.
  return gauss(noise, 0.01) - (noise.uniform() < 0.4 ? std::log(1.08) : 0.0) + 0.0086;
}

constexpr std::array<Shape, 10> shapes{{
    {"normal 0.5 %", [](Noise& n) { return gauss(n, 0.005); }, 2000},
    {"normal 1 %", [](Noise& n) { return gauss(n, 0.01); }, 2000},
    {"normal 2 %", [](Noise& n) { return gauss(n, 0.02); }, 1990},
    {"normal 3 %", [](Noise& n) { return gauss(n, 0.03); }, 1960},
    {"normal 4 %", [](Noise& n) { return gauss(n, 0.04); }, 1650},
    {"Student's t3 2 %", [](Noise& n) { return 0.02 / std::sqrt(3.0) * n.student3(); }, 1990},
    {"a fifth of the rounds spiky", [](Noise& n) { return gauss(n, n.uniform() < 0.2 ? 0.08 : 0.01); }, 1990},
    {"spikes in one variant only", one_sided_spike, 1700},
    {"one variant bimodal", bimodal_form, 0},
    {"skewed", [](Noise& n) { return 0.02 * (-std::log(n.uniform()) - std::log(2.0)); }, 1990},
}};

example::Tally tally(const Shape& shape, double effect, std::uint64_t seed) {
  Noise noise(seed);
  example::Tally result;
  for (int trial = 0; trial < trials; ++trial)
    result.add(example::decide(rule, [&] { return effect + shape.draw(noise); }).verdict);
  return result;
}

}  // namespace

TEST_CASE("identical code gets at most 12 false claims in 2,000 rows, whatever the noise", "[simulation]") {
  for (const auto& shape : shapes) {
    INFO(shape.name);
    CHECK(tally(shape, 0, 11).claims() <= 12);
  }
}

TEST_CASE("an effect of exactly delta is claimed in at most 0.5 % and three standard errors",
          "[simulation]") {
  const auto most = static_cast<int>(trials * (0.005 + 3 * std::sqrt(0.005 * 0.995 / trials)));
  for (const auto& shape : shapes) {
    INFO(shape.name);
    CHECK(tally(shape, std::log1p(rule.delta), 12).hurts <= most);
    CHECK(tally(shape, -std::log1p(rule.delta), 13).helps <= most);
  }
}

TEST_CASE("an effect of exactly delta is called equal in at most 0.5 % and three standard errors",
          "[simulation]") {
  const auto most = static_cast<int>(trials * (0.005 + 3 * std::sqrt(0.005 * 0.995 / trials)));
  for (const auto& shape : shapes) {
    INFO(shape.name);
    CHECK(tally(shape, std::log1p(rule.delta), 14).no_effect <= most);
  }
}

TEST_CASE("a slowdown of 5 % is found as often as the noise allows, and never called a gain",
          "[simulation]") {
  for (const auto& shape : shapes) {
    INFO(shape.name);
    const auto slower = tally(shape, std::log(1.05), 15);
    CHECK(slower.hurts >= shape.least_found);
    CHECK(slower.helps == 0);
    CHECK(tally(shape, -std::log(1.05), 16).helps >= shape.least_found);
  }
}

TEST_CASE("a form with two speeds is not decided, and is flagged as bimodal", "[simulation]") {
  Noise noise(17);
  int flagged = 0, inconclusive = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> units(56);
    for (auto& unit : units) unit = bimodal_form(noise);
    flagged += bimodal(units, std::log1p(rule.delta)) ? 1 : 0;
    inconclusive += judge(units, rule).verdict == Verdict::inconclusive ? 1 : 0;
  }
  CHECK(flagged >= 450);
  CHECK(inconclusive >= 350);
}

TEST_CASE("the decision of the simulations is the one that judge makes", "[simulation]") {
  Noise noise(18);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> units;
    const auto decision = example::decide(rule, [&] {
      units.push_back(0.02 * noise.normal());
      return units.back();
    });
    CHECK(judge(units, rule).verdict == decision.verdict);
  }
}

TEST_CASE("of 50 equal pairs Holm fails one in less than 1 % of 1,000 runs", "[simulation]") {
  Noise noise(19);
  int red = 0;
  for (int run = 0; run < 1000; ++run) {
    std::vector<std::vector<double>> units(50, std::vector<double>(14));
    std::vector<PairUnits> pairs;
    for (auto& pair : units) {
      for (auto& unit : pair) unit = std::log(1.05) + 0.02 * noise.normal();  // all at the gate's margin
      pairs.push_back({pair});
    }
    bool failed = false;
    for (const auto& list : judge_family(pairs)) failed = failed || list.gate_p <= rule.alpha_look();
    red += failed ? 1 : 0;
  }
  CHECK(red <= 10);
}

TEST_CASE("statistics of 50 pairs with 56 units", "[!benchmark]") {
  Noise noise(20);
  std::vector<std::vector<double>> units(50, std::vector<double>(56));
  std::vector<PairUnits> pairs;
  for (auto& pair : units) {
    for (auto& unit : pair) unit = 0.02 * noise.normal();
    pairs.push_back({pair});
  }
  BENCHMARK("judged alone and as a family") {
    double sum = 0;
    for (const auto& pair : units) sum += judge(pair, rule).sd;
    return sum + judge_family(pairs).front().gate_p;
  };
}
