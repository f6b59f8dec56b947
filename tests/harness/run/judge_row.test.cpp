#include "harness/run/judge_row.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace harness::run {
using namespace results;
namespace {

Results one_row() {
  Results results;
  results.session.looks = {14};
  results.session.alpha = 0.01;
  results.rows.resize(1);
  results.rows[0].delta = 0.03;
  return results;
}

/// A round of so many pairs, each with quads of equal slots; the optimized form's are longer by exp(`ratio`).
void add_pairs(Measurement& measured, int round, const std::vector<double>& ratios) {
  for (int pair = 0; pair < static_cast<int>(ratios.size()); ++pair)
    for (int quad = 0; quad < 2; ++quad)
      for (int slot = 0; slot < 4; ++slot) {
        const bool naive = slot == 0 || slot == 3;
        measured.samples.push_back({.round = round,
                                    .pair = pair,
                                    .quad = quad,
                                    .slot = slot,
                                    .form = naive ? Form::naive : Form::optimized,
                                    .seconds = naive ? 1 : std::exp(ratios[static_cast<std::size_t>(pair)])});
      }
  measured.setup_seconds.push_back(16);  // what 16 slots of a second take without their warm-up
  measured.log_ratios.push_back(0);
}

TEST_CASE("Noise that arises within launches asks for more pairs after the first look", "[judge_row]") {
  Results results = one_row();
  auto& row = results.rows[0];
  row.measured.pairs = 2;
  for (int round = 0; round < 14; ++round) add_pairs(row.measured, round, {-0.05, 0.05});
  judge_row(row, results);
  REQUIRE(row.variance);
  CHECK(row.variance->launch == 0);
  CHECK(pairs_from_here(row) == 8);
}

TEST_CASE("Noise that arises with the launch leaves one pair a round", "[judge_row]") {
  Results results = one_row();
  auto& row = results.rows[0];
  row.measured.pairs = 2;
  for (int round = 0; round < 14; ++round) {
    const auto level = round % 2 == 0 ? -0.05 : 0.05;
    add_pairs(row.measured, round, {level, level});
  }
  judge_row(row, results);
  CHECK(pairs_from_here(row) == 1);
}

TEST_CASE("A round of one pair cannot tell where its noise arises, and the number stays", "[judge_row]") {
  Results results = one_row();
  auto& row = results.rows[0];
  for (int round = 0; round < 14; ++round) add_pairs(row.measured, round, {0.01 * round});
  judge_row(row, results);
  CHECK_FALSE(row.variance);
  CHECK(pairs_from_here(row) == 1);
}

/// Fourteen rounds in which the optimized form takes exp(-0.5) of the time.
Results fast_on_device() {
  auto results = one_row();
  auto& row = results.rows[0];
  row.device = {Device::Kind::cuda, 0};
  for (int round = 0; round < 14; ++round) {
    add_pairs(row.measured, round, {-0.5});
    row.measured.log_ratios.back() = -0.5;
    results.rounds.emplace_back().round = round;
  }
  return results;
}

Row judged(Results results) {
  judge_row(results.rows[0], results);
  return results.rows[0];
}

bool has_flag(const Row& row, const std::string& flag) {
  return std::ranges::find(row.judged.flags, flag) != row.judged.flags.end();
}

TEST_CASE("Rounds that had to be taken again are named; more than a fifth of them leave no verdict",
          "[judge_row]") {
  auto results = fast_on_device();
  results.rows[0].measured.discarded = 3;  // of 17
  CHECK(has_flag(judged(results), "throttled"));
  CHECK(judged(results).judged.verdict == Verdict::helps);
  results.rows[0].measured.discarded = 4;  // of 18
  CHECK(judged(results).judged.verdict == Verdict::inconclusive);
}

TEST_CASE("A round that was no better when it was taken again counts as disturbed", "[judge_row]") {
  auto results = fast_on_device();
  for (auto& sample : results.rows[0].measured.samples)
    if (sample.round < 3 && sample.slot == 2) sample.clock_events = 0x40;
  CHECK(judged(results).judged.verdict == Verdict::inconclusive);
}

TEST_CASE("A row says that one form meets the power cap more often than the other", "[judge_row]") {
  auto results = fast_on_device();
  for (auto& sample : results.rows[0].measured.samples)
    if (sample.form == Form::optimized) sample.clock_events = 0x4;
  CHECK(has_flag(judged(results), "power-imbalance"));
  CHECK_FALSE(has_flag(judged(results), "throttled"));
}

TEST_CASE("A row on a device is disturbed by what the device's canaries met, one on the host by the host's",
          "[judge_row]") {
  auto results = fast_on_device();
  for (auto& round : results.rounds) {
    round.disturbance.canary_seconds = {1};
    round.disturbance.gpu_canary_seconds = {1};
    round.disturbance.copy_canary_seconds = {round.round < 3 ? 1.1 : 1.0};
  }
  CHECK(has_flag(judged(results), "unstable machine"));
  CHECK(judged(results).judged.off == Catch::Approx(std::log(1.1)));
  results.rows[0].device = {};
  CHECK_FALSE(has_flag(judged(results), "unstable machine"));
}

TEST_CASE("On a busy machine a row on the host keeps its verdict unless the load moves its ratio",
          "[judge_row]") {
  auto results = fast_on_device();
  results.rows[0].device = {};
  for (auto& round : results.rounds) round.disturbance.canary_seconds = {round.round % 2 == 0 ? 1.0 : 9.0};
  CHECK(has_flag(judged(results), "unstable machine"));
  CHECK(judged(results).judged.verdict == Verdict::helps);
  auto& ratios = results.rows[0].measured.log_ratios;
  for (std::size_t i = 0; i < ratios.size(); i += 2) ratios[i] = -0.2;  // in the calm rounds
  CHECK(judged(results).judged.verdict == Verdict::inconclusive);
}

TEST_CASE("The CPU time of a row on the host is judged like its time", "[judge_row]") {
  auto results = fast_on_device();
  CHECK_FALSE(judged(results).cpu);
  results.rows[0].device = {};
  for (auto& sample : results.rows[0].measured.samples)
    sample.cpu_seconds = sample.form == Form::naive ? 2.0 : 1.0;
  const auto row = judged(results);
  REQUIRE(row.cpu);
  CHECK(row.cpu->verdict == Verdict::helps);
  CHECK(std::abs(row.cpu->ratio - 0.5) < 1e-9);
}

TEST_CASE("A busy machine disturbs a figure in seconds, and neither a loss nor a number of bytes",
          "[judge_row]") {
  auto results = fast_on_device();
  for (auto& round : results.rounds) round.disturbance.gpu_canary_seconds = {round.round < 3 ? 1.1 : 1.0};
  auto& measured = results.rows[0].measured;
  measured.statistic = Statistic::figure;
  measured.figures = {{"to a target", "s", 2, 1}};
  CHECK(has_flag(judged(results), "unstable machine"));
  measured.figures = {{"validation loss", "", 2, 1}};
  CHECK_FALSE(has_flag(judged(results), "unstable machine"));
  measured.figures = {{"peak memory", "MiB", 2, 1}};
  CHECK_FALSE(has_flag(judged(results), "unstable machine"));
}

/// So many rounds of a row; the naive form's runs show 1 and those of the other one exp of these two, in
/// turn.
Results counted(int rounds, double one, double two,
                const std::string& name = "versus/instructions/command:b") {
  auto results = one_row();
  results.session.looks = {10};
  results.session.early = {3, 4, 6};
  auto& row = results.rows[0];
  row.name = name;
  for (int round = 0; round < rounds; ++round) {
    add_pairs(row.measured, round, {one});
    for (auto& sample : row.measured.samples)
      if (sample.slot == 2) sample.seconds = std::exp(two);
    row.measured.log_ratios.back() = (one + two) / 2;
  }
  row.measured.statistic = Statistic::figure;
  row.measured.figures = {
      {"figure", name.find("instructions") != std::string::npos ? "instructions" : "B", 1, 1}};
  return results;
}

TEST_CASE("Runs of commands that lie apart tell a twentieth after three rounds, others after ten",
          "[judge_row]") {
  CHECK(judged(counted(2, 0.05, 0.05)).judged.verdict == Verdict::inconclusive);
  for (const auto* const name : {"versus/instructions/command:b", "versus/memory/command:b"}) {
    CHECK(judged(counted(3, 0.05, 0.05, name)).judged.verdict == Verdict::hurts);
    CHECK(judged(counted(3, 0.05, 0.05, name)).judged.early());
  }
  CHECK(judged(counted(6, 0.05, 0.05, "mem/step")).judged.verdict == Verdict::inconclusive);
  CHECK(judged(counted(10, 0.05, 0.05, "mem/step")).judged.verdict == Verdict::hurts);
}

TEST_CASE("What the runs of commands have told stands where rows are judged together", "[judge_row]") {
  // Of rounds that reach from 5 to 80 % the widened range excludes nothing.
  auto results = counted(4, 0.4, 0.45, "versus/wall/command:b");
  auto& row = results.rows[0];
  row.measured.log_ratios = {0.05, 0.3, 0.5, 0.6};
  for (auto& sample : row.measured.samples) sample.seconds *= std::exp(0.1 * sample.quad);
  judge_row(row, results);
  REQUIRE(row.judged.verdict == Verdict::hurts);
  REQUIRE(row.judged.method == CiMethod::mann_whitney);
  judge_together(results.rows);
  CHECK(row.confirmed);
}

TEST_CASE("Instructions tell by themselves as far as they scatter less than they lie beyond the band",
          "[judge_row]") {
  // 0.02 and 0.021 apart, and 0.0204 beyond the band; those of the other command do not scatter at all.
  CHECK(judged(counted(6, 0.06, 0.04)).judged.verdict == Verdict::hurts);
  CHECK(judged(counted(6, 0.0605, 0.0395)).judged.verdict == Verdict::inconclusive);
  CHECK(judged(counted(10, 0.0605, 0.0395)).judged.verdict == Verdict::hurts);
  CHECK(judged(counted(6, 0.06, 0.04, "versus/memory/command:b")).judged.verdict == Verdict::inconclusive);
}

}  // namespace
}  // namespace harness::run
