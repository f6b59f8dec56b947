#include "harness/core/gate.hpp"

#include "tests/harness/core/noise.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>

using namespace harness;

namespace {

const Rule three{.looks = {14, 28, 56}};

std::vector<GatedPair> pairs(int count, double ratio, std::size_t units = 14) {
  std::vector<GatedPair> all;
  for (int i = 0; i < count; ++i)
    all.push_back({"row " + std::to_string(i), std::vector<double>(units, std::log(ratio))});
  return all;
}

}  // namespace

TEST_CASE("a slowdown of 12 % in one of fifty rows fails the gate at the first look, and names it",
          "[gate]") {
  auto all = pairs(50, 1.0);
  all[7].log_ratios.assign(14, std::log(1.12));
  const auto rows = gate(all, three);
  for (const auto& row : rows) CHECK(row.regressed == (row.name == "row 7"));
}

TEST_CASE("a slowdown below the margin fails nothing: 3 % with events, 5 % on the host", "[gate]") {
  auto all = pairs(2, 1.04);
  all[0].event = true;
  const auto rows = gate(all, three);
  CHECK(rows[0].regressed);
  CHECK_FALSE(rows[1].regressed);
}

TEST_CASE("noise of the self-test widens a margin and saves no row beyond it", "[gate]") {
  auto all = pairs(2, 1.5);
  all[0].nu = 0.03;  // twice that is above 5 %
  all[1].nu = 0.3;
  const auto rows = gate(all, three);
  CHECK(rows[0].regressed);
  CHECK_FALSE(rows[1].regressed);
}

TEST_CASE("a slowdown that a disturbance could have made fails nothing and confirms nothing", "[gate]") {
  auto all = pairs(2, 1.5);
  const auto first = gate(all, three);
  all[0].withdrawn = true;
  CHECK_FALSE(gate(all, three)[0].regressed);
  CHECK(gate(all, three)[1].regressed);
  CHECK(confirmed(first, gate(all, three)) == std::vector<std::string>{"row 1"});
}

TEST_CASE("a margin follows the noise of the self-test where that is larger", "[gate]") {
  auto all = pairs(1, 1.045);
  all[0].event = true;
  all[0].nu = 0.024;
  CHECK_FALSE(gate(all, three)[0].regressed);
  CHECK(gate(all, three)[0].margin == Catch::Approx(0.048));
}

TEST_CASE("fifty rows gate at the first look, a hundred at the second, and too few looks are refused",
          "[gate]") {
  CHECK(first_gating_look(three, 50) == 14);
  CHECK(first_gating_look(three, 55) == 28);
  CHECK_FALSE(first_gating_look({.looks = {14}}, 200));
  CHECK_THROWS_MATCHES(gate(pairs(200, 1), {.looks = {14}}), BadInput,
                       Catch::Matchers::MessageMatches(
                           Catch::Matchers::ContainsSubstring("no slowdown could ever fail the gate")));
}

TEST_CASE("at a look that cannot gate so many rows even a doubled time waits for the next one", "[gate]") {
  CHECK_FALSE(gate(pairs(100, 2.0), three)[0].regressed);
  CHECK(gate(pairs(100, 2.0, 28), three)[0].regressed);
}

TEST_CASE("a regression fails only if a fresh session shows it again", "[gate]") {
  const auto first = gate(pairs(2, 1.12), three);
  auto repeat = pairs(2, 1.12);
  repeat[1].log_ratios.assign(14, 0);
  CHECK(confirmed(first, gate(repeat, three)) == std::vector<std::string>{"row 0"});
  CHECK(confirmed(first, {}).empty());
}

TEST_CASE("the same program twice fails none of 1,000 gates of five noisy rows", "[gate]") {
  example::Noise noise(51);
  int red = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    auto all = pairs(5, 1);
    for (auto& pair : all)
      for (auto& value : pair.log_ratios) value = 0.03 * noise.normal();
    for (const auto& row : gate(all, three)) red += row.regressed ? 1 : 0;
  }
  CHECK(red == 0);
}
