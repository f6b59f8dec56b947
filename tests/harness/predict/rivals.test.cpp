#include "harness/predict/rivals.hpp"

#include "tests/harness/predict/scored.hpp"

#include "harness/predict/scorecard.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace {

using namespace harness;
using namespace harness::example;
using namespace harness::predict;
using namespace harness::results;
using Catch::Approx;

/// Twelve steps, all predicted well: eleven save a tenth, the last saves half.
std::vector<Row> twelve_steps() {
  std::vector<Row> all;
  for (int i = 0; i < 12; ++i) {
    const auto saved = i < 11 ? 100e-6 : 500e-6;
    all.push_back(scored("a", saved, saved));
    all.back().step = fmt::format("launch/step{}", i);
    all.back().name = all.back().step + "/a";
  }
  return all;
}

TEST_CASE("predictions stand beside the rule that says no effect", "[rivals]") {
  const auto card = card_of(twelve_steps());
  REQUIRE(card.rivals.size() == 2);
  const auto& rule = card.rivals[1].rule;
  CHECK(rule.of == "no effect");
  CHECK(rule.rows == 12);
  CHECK(rule.median_error == Approx(0.1));
  // For the eleven the 11th of eleven errors elsewhere is 0.5, for the last it is 0.1.
  CHECK(rule.median_width == Approx(1));
  CHECK(rule.met == 11);
  CHECK(rule.interval_score == Approx((11 * 1 + 0.2 + 20 * 0.4) / 12));
  CHECK(card.rivals[1].predictions.interval_score == Approx(0.04));
}

TEST_CASE("predictions have a score with the intervals that misses at other steps ask for", "[rivals]") {
  // Each unit is the work of 0.1 ms and a fifth of 1 ms: 0.3 ms. Eleven miss by a tenth of that, one by half.
  auto all = twelve_steps();
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto row = scored("a", i < 11 ? 130e-6 : 250e-6, 100e-6);
    row.prediction->removes[0].seconds = 100e-6;
    row.step = all[i].step;
    row.name = all[i].name;
    all[i] = row;
  }
  const auto card = card_of(all);
  const auto& own = card.rivals.at(0).rule;
  CHECK(own.of == "by counts, intervals from misses");
  // For the eleven the largest of eleven misses elsewhere is half a unit, to both sides; for the last a
  // tenth.
  CHECK(own.median_width == Approx(2 * 0.15));
  CHECK(own.met == 11);
}

TEST_CASE("a rule is scored where nine rows of other steps give its interval", "[rivals]") {
  auto ten = twelve_steps();
  ten.resize(10);
  CHECK(card_of(ten).rivals.size() == 2);
  ten.resize(9);
  CHECK(card_of(ten).rivals.empty());
}

TEST_CASE("another machine's newest result is a rule for the rows that it has", "[rivals]") {
  Scorecard card;
  auto all = twelve_steps();
  add_results(card, results_with(all), "here.json");
  auto other = results_with({});
  other.fingerprint.hard = {{"machine", {{"cpu_model", "Xeon"}, {"gpu", nullptr}}}};
  for (const auto& [started, saved] :
       {std::pair{"2026-11-01T00:00:00Z", 100e-6}, {"2026-10-01T00:00:00Z", 0.0}}) {
    other.session.started = started;
    other.rows.clear();
    for (int i = 0; i < 11; ++i) {
      auto row = measured("a", saved);
      row.name = all[static_cast<std::size_t>(i)].name;
      other.rows.push_back(row);
    }
    add_results(card, other, "there.json");
  }
  finish(card);
  REQUIRE(card.rivals.size() == 4);
  CHECK(card.rivals[2].rule.of == "as on another machine");
  CHECK(card.rivals[2].rule.rows == 11);
  CHECK(card.rivals[2].rule.median_error == Approx(0).margin(1e-9));
  CHECK(card.rivals[2].predictions.rows == 11);
}

TEST_CASE("another machine's result is a rule of its own where counts say how far to trust it", "[rivals]") {
  // There all saved 0.1 of the form, here 0.12. Ten were counted as 0.15: a unit is 0.05 + 0.05, a miss a
  // fifth of it. One was counted as 0.4: a unit is 0.35.
  auto here = twelve_steps();
  here.resize(11);
  auto there = results_with({});
  there.fingerprint.hard = {{"machine", {{"cpu_model", "Xeon"}, {"gpu", nullptr}}}};
  for (auto& row : here) {
    const auto place = row;
    row = scored("a", &row == &here.back() ? 400e-6 : 150e-6, 120e-6);
    row.step = place.step;
    row.name = place.name;
    there.rows.push_back(measured("a", 100e-6));
    there.rows.back().name = place.name;
  }
  Scorecard card;
  add_results(card, results_with(here), "here.json");
  add_results(card, there, "there.json");
  finish(card);
  REQUIRE(card.rivals.size() == 4);
  const auto& rule = card.rivals[3].rule;
  CHECK(rule.of == "another machine, checked by counts");
  CHECK(rule.rows == 11);
  CHECK(rule.median_error == Approx(0.02));
  CHECK(rule.median_width == Approx(2 * 0.2 * 0.1));
  CHECK(rule.interval_score == Approx((10 * 0.04 + 2 * 0.2 * 0.35) / 11));
}

TEST_CASE("a prediction that rests on another machine's result is scored by it, and its counts beside it",
          "[rivals]") {
  auto all = twelve_steps();
  for (auto& row : all) {
    row.prediction->elsewhere =
        Elsewhere{.machine = "Xeon", .started = "2026", .share = row.prediction->saving / 1e-3, .counted = 0};
    row.prediction->removes[0].seconds = 100e-6;
  }
  const auto card = card_of(all);
  CHECK(card.all.median_error == Approx(0).margin(1e-9));
  CHECK(card.kinds.at(0).of == "a result on another machine");
  REQUIRE(card.rivals.size() == 4);
  CHECK(card.rivals[0].rule.median_error == Approx(0.1));
  CHECK(card.rivals[3].rule.rows == 12);
}

}  // namespace
