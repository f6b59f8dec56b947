// The decision on noise that was recorded: 280 launches each of six identical pairs on a quiet and on a noisy
// machine (docs/measuring.md 5). Rounds are drawn from the launches. Set TUNEPROOF_NOISE_DIR to read it from
// elsewhere.
#include "tests/harness/core/looks_of.hpp"
#include "tests/harness/core/noise.hpp"
#include "tests/harness/core/recording.hpp"

#include "harness/core/interval.hpp"
#include "harness/core/median.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace harness;

namespace {

const Rule rule{.looks = {14, 28, 56}, .delta = 0.02};

example::Tally resample(const std::vector<double>& rounds, double effect, int trials) {
  example::Noise noise(21);
  example::Tally tally;
  for (int trial = 0; trial < trials; ++trial)
    tally.add(example::decide(rule, [&] { return effect + rounds[noise.below(rounds.size())]; }).verdict);
  return tally;
}

/// False claims and detections of all workloads and numbers of pairs on one recording.
void check_all(const std::string& name, int trials) {
  for (const auto& [workload, launches] : example::recorded(name))
    for (const std::size_t pairs : {1u, 2u, 4u}) {
      INFO(name << " " << workload << ", " << pairs << " pairs a round");
      REQUIRE(launches.size() == 280);
      const auto values = example::rounds(launches, pairs, true);
      CHECK(resample(values, 0, trials).claims() <=
            trials / 1000);  // seen: 2 of 4,000 for one noisy workload
      const auto slower = resample(values, std::log(1.05), trials);
      CHECK(slower.helps == 0);
      if (robust_sd(values) <= 0.02) CHECK(slower.hurts >= trials * 99 / 100);
    }
}

}  // namespace

TEST_CASE(
    "identical code is claimed to differ in at most 0.1 % on the recorded quiet noise, and 5 % is found",
    "[replay]") {
  check_all("quiet", 1000);
}

TEST_CASE(
    "identical code is claimed to differ in at most 0.1 % on the recorded noisy noise, and 5 % is found",
    "[replay]") {
  check_all("noisy", 1000);
}

TEST_CASE("4,000 experiments on each recorded workload make at most 0.1 % false claims", "[replay][wide]") {
  check_all("quiet", 4000);
  check_all("noisy", 4000);
}

TEST_CASE("without crossing, identical copies of 64 KiB seem 3 % apart and are claimed to differ",
          "[replay]") {
  for (const auto* const name : {"quiet", "noisy"}) {
    INFO(name);
    const auto launches = example::recorded(name).at("memcpy64K");
    const auto uncrossed = example::rounds(launches, 4, false);
    const auto crossed = example::rounds(launches, 4, true);
    CHECK(median(uncrossed) < -0.028);
    CHECK(median(uncrossed) > -0.038);
    CHECK(resample(uncrossed, 0, 1000).claims() > 900);
    CHECK(std::abs(median(crossed)) < 0.002);
    CHECK(resample(crossed, 0, 1000).claims() == 0);
  }
}
