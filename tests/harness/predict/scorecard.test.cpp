#include "harness/predict/scorecard.hpp"

#include "tests/golden.hpp"
#include "tests/harness/predict/scored.hpp"

#include "harness/predict/scorecard_text.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace {

using namespace harness;
using namespace harness::example;
using namespace harness::predict;
using namespace harness::results;
using Catch::Approx;

Row unpredicted(const std::string& point, std::string reason) {
  auto row = measured(point, 0);
  row.prediction = no_prediction(std::move(reason));
  return row;
}

TEST_CASE("what was measured is the change of the naive form's time, with its interval", "[scorecard]") {
  const auto check = check_prediction(scored("a", 150e-6, 100e-6));
  REQUIRE(check);
  CHECK(check->saving == Approx(100e-6));
  CHECK(check->interval.low == Approx(90e-6));
  CHECK(check->interval.high == Approx(110e-6));
  CHECK(check->error == Approx(0.05));
}

TEST_CASE("intervals meet where they have a value in common", "[scorecard]") {
  CHECK(check_prediction(scored("a", 129e-6, 100e-6))->meets);
  CHECK_FALSE(check_prediction(scored("a", 131e-6, 100e-6))->meets);
  CHECK(check_prediction(scored("a", 71e-6, 100e-6))->meets);
  CHECK_FALSE(check_prediction(scored("a", 69e-6, 100e-6))->meets);
}

TEST_CASE("to meet is less than to hold the measured saving itself", "[scorecard]") {
  CHECK(check_prediction(scored("a", 119e-6, 100e-6))->inside);
  CHECK_FALSE(check_prediction(scored("a", 121e-6, 100e-6))->inside);
}

TEST_CASE("a row without an interval is not scored", "[scorecard]") {
  auto row = scored("a", 1e-6, 0);
  row.judged.ratio_interval.reset();
  const auto card = card_of({row});
  CHECK(card.rows.empty());
  CHECK(card.unmeasured == 1);
}

TEST_CASE("error and bias are medians, of sizes and of signed errors", "[scorecard]") {
  // Errors in shares of 1 ms: +0.05, -0.01, +0.02.
  const auto card =
      card_of({scored("a", 150e-6, 100e-6), scored("b", 90e-6, 100e-6), scored("c", 120e-6, 100e-6)});
  CHECK(card.all.median_error == Approx(0.02));
  CHECK(card.all.bias == Approx(0.02));
  CHECK(card.all.met == 2);
  CHECK(card.all.saved_less == 1);
  CHECK(card.all.coverage() == Approx(2.0 / 3));
}

TEST_CASE("an interval's score is its width, and twenty times how far the truth lies beyond it",
          "[scorecard]") {
  // Widths of 40 us in 1 ms. The truth lies inside, and 30 us beyond.
  const auto card = card_of({scored("a", 110e-6, 100e-6), scored("b", 150e-6, 100e-6)});
  CHECK(card.rows[0].interval_score() == Approx(0.04));
  CHECK(card.rows[1].interval_score() == Approx(0.04 + 20 * 0.03));
  CHECK(card.all.median_width == Approx(0.04));
  CHECK(card.all.interval_score == Approx(0.34));
}

std::vector<Row> rows(int met, int missed) {
  std::vector<Row> all;
  for (int i = 0; i < met; ++i) all.push_back(scored(fmt::format("n:{}", i), 100e-6, 100e-6));
  for (int i = 0; i < missed; ++i)
    all.push_back(scored(fmt::format("m:{}", i), 20e-6, 300e-6, "page faults"));
  return all;
}

TEST_CASE("four of five held are enough, one less is not", "[scorecard]") {
  CHECK(card_of(rows(8, 2)).trust() == Trust::yes);
  CHECK(card_of(rows(7, 3)).trust() == Trust::no);
}

TEST_CASE("nine rows tell nothing of a share", "[scorecard]") {
  CHECK(card_of(rows(9, 0)).trust() == Trust::too_few);
  CHECK(card_of(rows(0, 9)).trust() == Trust::too_few);
}

TEST_CASE("where the promise is broken the card says not to trust, and why", "[scorecard]") {
  const auto text = trust_text(card_of(rows(7, 3)));
  CHECK(text.starts_with("Do not trust the predictions here: 7 of 10 intervals that promise 90 % held"));
  CHECK(text.find("3 misses 3 saved more than predicted") != text.npos);
  CHECK(text.find("3 of them rest mostly on page faults") != text.npos);
}

TEST_CASE("intervals from prices and from earlier rows are scored apart, since the rules have changed",
          "[scorecard]") {
  auto right = scored("a", 100e-6, 100e-6);
  right.prediction->earlier_rows = 9;
  const auto card = card_of({right, scored("b", 200e-6, 100e-6), scored("c", 300e-6, 100e-6)});
  REQUIRE(card.sources.size() == 2);
  CHECK(card.sources[0].of == "prices alone");
  CHECK(card.sources[0].met == 0);
  CHECK(card.sources[1].of == "misses of earlier rows");
  CHECK(card.sources[1].coverage() == 1);
  const auto heading = "by what the interval comes from";
  CHECK(scorecard_text(card, {}).find(heading) != std::string::npos);
  CHECK(scorecard_text(card_of({right}), {}).find(heading) == std::string::npos);
}

TEST_CASE("machines and kinds of work are scored by themselves", "[scorecard]") {
  Scorecard card;
  add_results(card, results_with(rows(2, 1)), "a.json");
  auto other = results_with(rows(1, 0));
  other.fingerprint.hard = {{"machine", {{"cpu_model", "AMD EPYC"}, {"gpu", {{"name", "H200"}}}}}};
  add_results(card, other, "b.json");
  finish(card);
  REQUIRE(card.machines.size() == 2);
  CHECK(card.machines[0].of == "AMD EPYC");
  CHECK(card.machines[0].rows == 3);
  CHECK(card.machines[1].of == "H200");
  REQUIRE(card.kinds.size() == 2);
  CHECK(card.kinds[0].of == "operator calls");
  CHECK(card.kinds[1].coverage() == 0);
}

TEST_CASE("a scorecard looks like the one in tests/golden", "[scorecard]") {
  auto all = rows(7, 3);
  all.push_back(unpredicted("x", "the forms do not differ in anything that is counted"));
  all.push_back(unpredicted("y", "the forms do not differ in anything that is counted"));
  const auto text = scorecard_text(card_of(all), {});
  CHECK(text == tests::golden("scorecard.txt", text));
}

TEST_CASE("the card as JSON has every row and both ends of its intervals", "[scorecard]") {
  const auto json = scorecard_to_json(card_of(rows(7, 3)));
  CHECK(json["trust"] == "no");
  CHECK(json["rows"].size() == 10);
  CHECK(json["rows"][0]["predicted_ci_ns"][1].get<double>() == Approx(120e3));
  CHECK(json["rows"][9]["meets"] == false);
}

}  // namespace
