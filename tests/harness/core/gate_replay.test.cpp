// The gate on noise that was recorded (recording.hpp), without any help of the canaries: what a busy machine
// makes of equal programs, and of a planted slowdown.
#include "tests/harness/core/noise.hpp"
#include "tests/harness/core/recording.hpp"

#include "harness/core/gate.hpp"
#include "harness/core/interval.hpp"
#include "harness/core/median.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <vector>

using namespace harness;

namespace {

const Rule rule{.looks = {14}};

/// What a gate takes as units: of four launches in a row two are BASE's and two HEAD's, base-head-head-base.
std::vector<double> rounds_of_programs(const std::vector<example::Launch>& launches) {
  std::vector<double> level;
  for (const auto& launch : launches) {
    std::vector<double> quads;
    for (const auto& quad : launch) quads.push_back(quad.log_seconds);
    level.push_back(median(std::move(quads)));
  }
  std::vector<double> units;
  for (std::size_t i = 0; i + 3 < level.size(); i += 4)
    units.push_back((level[i + 1] + level[i + 2] - level[i] - level[i + 3]) / 2);
  return units;
}

/// One session of one row, each round drawn from what was recorded.
std::vector<GateResult> session(const std::vector<double>& recorded, double effect, example::Noise& noise) {
  std::vector<double> rounds;
  for (int round = 0; round < 14; ++round) rounds.push_back(effect + recorded[noise.below(recorded.size())]);
  return gate(std::vector<GatedPair>{{.name = "row", .log_ratios = std::move(rounds)}}, rule);
}

/// How many of the gates fail: the first session flags the row, and a second one confirms it.
int failures(const std::vector<double>& recorded, double ratio, int gates) {
  example::Noise noise(23);
  int failed = 0;
  for (int i = 0; i < gates; ++i) {
    const auto first = session(recorded, std::log(ratio), noise);
    const auto second = session(recorded, std::log(ratio), noise);
    failed += static_cast<int>(confirmed(first, second).size());
  }
  return failed;
}

void check_gates(const std::string& name) {
  constexpr int gates = 200;
  for (const auto& [workload, launches] : example::recorded(name)) {
    const auto recorded = rounds_of_programs(launches);
    INFO(name << " " << workload);
    CHECK(failures(recorded, 1.0, gates) == 0);
    if (robust_sd(recorded) > 0.2) continue;  // threads that wait for each other on the noisy machine: 0.7
    CHECK(failures(recorded, 1.5, gates) == gates);
    CHECK(failures(recorded, 2.0, gates) == gates);
  }
}

}  // namespace

TEST_CASE("on quiet recorded noise no gate of equal programs fails, and each of +50 % and +100 %",
          "[replay]") {
  check_gates("quiet");
}

TEST_CASE("on noisy recorded noise no gate of equal programs fails, and each of +50 % and +100 %",
          "[replay]") {
  check_gates("noisy");
}
