#include "tests/harness/core/noise.hpp"

#include "harness/core/variance.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace harness;

namespace {

std::vector<double> two_heaps(std::size_t low, std::size_t high, double apart) {
  std::vector<double> values;
  for (std::size_t i = 0; i < low; ++i) values.push_back(0.001 * static_cast<double>(i % 3));
  for (std::size_t i = 0; i < high; ++i) values.push_back(apart + 0.001 * static_cast<double>(i % 3));
  return values;
}

}  // namespace

TEST_CASE("two heaps 8 % apart are bimodal, however few lie in the smaller one down to three", "[shape]") {
  CHECK(bimodal(two_heaps(8, 6, 0.08), 0.03));
  CHECK(bimodal(two_heaps(11, 3, 0.08), 0.03));
  CHECK_FALSE(bimodal(two_heaps(12, 2, 0.08), 0.03));  // two wild units are not a heap
}

TEST_CASE("heaps nearer to each other than the change of interest do not count", "[shape]") {
  CHECK_FALSE(bimodal(two_heaps(8, 6, 0.02), 0.03));
}

TEST_CASE("equal values, and too few of them, are not bimodal", "[shape]") {
  CHECK_FALSE(bimodal(std::vector<double>(14, 1.0), 0.03));
  CHECK_FALSE(bimodal(two_heaps(2, 3, 1), 0.03));
  CHECK_FALSE(bimodal({}, 0.03));
}

TEST_CASE("normal noise is called bimodal in less than 1 % of 2,000 sets of 14", "[shape]") {
  example::Noise noise(1);
  int called = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> values(14);
    for (auto& value : values) value = noise.normal();
    called += bimodal(values, 0) ? 1 : 0;
  }
  CHECK(called <= 20);
}

TEST_CASE("units that rise and fall slowly depend on each other", "[shape]") {
  // Ljung and Box's p of this wave over one period of 28 is below 1e-10 (checked with scipy's chi2).
  std::vector<double> wave;
  for (int i = 0; i < 28; ++i) wave.push_back(std::sin(i * 0.2244));
  CHECK(autocorrelated(wave));
}

TEST_CASE("equal units, and fewer than a look, say nothing about their order", "[shape]") {
  CHECK_FALSE(autocorrelated(std::vector<double>(14, 0.5)));
  CHECK_FALSE(autocorrelated(std::vector{1.0, 2.0, 3.0}));
  CHECK_FALSE(autocorrelated({}));
}

TEST_CASE("units that are equal but for one or two have no order, as coarse timers give them", "[shape]") {
  std::vector<double> units(28, 0.1);
  units[3] = 0;
  CHECK_FALSE(autocorrelated(units));
  units[20] = 0.2;
  CHECK_FALSE(autocorrelated(units));
}

TEST_CASE("independent noise is called autocorrelated in less than 1 % of 2,000 sets of 28", "[shape]") {
  example::Noise noise(2);
  int called = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<double> values(28);
    for (auto& value : values) value = noise.normal();
    called += autocorrelated(values) ? 1 : 0;
  }
  CHECK(called <= 20);
}

TEST_CASE("flags tell which row is bimodal and which depends on its order", "[shape]") {
  const auto has = [](const Judgement& judged, const char* flag) {
    return std::ranges::find(judged.flags, flag) != judged.flags.end();
  };
  CHECK(has(judge(two_heaps(7, 7, 0.08), {}), "bimodal"));
  std::vector<double> wave;
  for (int i = 0; i < 28; ++i) wave.push_back(0.01 * std::sin(i * 0.2244));
  CHECK(has(judge(wave, {.looks = {14, 28}}), "autocorrelated"));
}
