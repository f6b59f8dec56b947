#include "harness/core/setup.hpp"
#include "harness/predict/intervals.hpp"
#include "harness/results/prediction.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::predict;
using Catch::Approx;

/// The form below takes 100 us; the tip removes 15 us of work and adds 5 us. A unit is 20 us + 20 us.
results::Prediction prediction(bool replayed = false) {
  return {.saving = 10e-6,
          .interval = {9e-6, 11e-6},
          .explained = 0.8,
          .below = 100e-6,
          .removes = {{.what = replayed ? std::string(results::run_again) : "operator calls",
                       .seconds = 15e-6,
                       .interval = {}},
                      {.what = "views", .seconds = -5e-6, .interval = {}}}};
}

std::vector<Miss> nine(const std::string& step, const std::string& machine, double size,
                       Basis basis = Basis::prices) {
  return std::vector<Miss>(9, {step, machine, basis, size});
}

std::vector<Miss> operator+(std::vector<Miss> a, const std::vector<Miss>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Interval widened(const std::vector<Miss>& misses, bool replayed = false) {
  auto one = prediction(replayed);
  widen(one, {"launch/fuse", "here", misses});
  return one.interval;
}

TEST_CASE("a miss is measured in the work that changes hands and a fifth of the form below", "[misses]") {
  CHECK(unit_of(prediction()) == Approx(40e-6));
}

TEST_CASE("with operators run again the unit grows with what they leave unexplained", "[misses]") {
  // 20 us of work at a scale of 0.8, a tenth of the form, and ln(1 / 0.8) = 0.22314 of it.
  CHECK(unit_of(prediction(true)) == Approx(25e-6 + 10e-6 + 22.314e-6).epsilon(1e-4));
}

TEST_CASE("nine misses are needed to promise 90 %, and then the largest is the bound", "[misses]") {
  CHECK_FALSE(bound_of({1, 2, 3, 4, 5, 6, 7, 8}));
  CHECK(bound_of({9, 1, 2, 3, 4, 5, 6, 7, 8}) == 9);
}

TEST_CASE("of 19 misses the eighteenth is the bound, of 29 the twenty-seventh", "[misses]") {
  std::vector<double> sizes;
  for (int i = 19; i > 0; --i) sizes.push_back(i);
  CHECK(bound_of(sizes) == 18);
  for (int i = 20; i <= 29; ++i) sizes.push_back(i);
  CHECK(bound_of(sizes) == 27);
}

TEST_CASE("an interval is as wide as earlier rows ask for, and nothing saves more than the form takes",
          "[misses]") {
  const auto half_a_unit = nine("sync/item", "here", 0.5);
  const auto interval = widened(half_a_unit);
  CHECK(interval.low == Approx(10e-6 - 20e-6));
  CHECK(interval.high == Approx(10e-6 + 20e-6));
  auto dear = prediction();
  dear.saving = 95e-6;
  widen(dear, {"launch/fuse", "here", half_a_unit});
  CHECK(dear.interval.high == Approx(100e-6));
  CHECK(dear.earlier_rows == 9);
}

TEST_CASE("a step's own rows do not calibrate it", "[misses]") {
  CHECK(widened(nine("launch/fuse", "here", 0.5)).high == 11e-6);
}

TEST_CASE("this class of machine comes first, others where it has too few rows", "[misses]") {
  const auto elsewhere = nine("sync/item", "elsewhere", 1);
  CHECK(widened(nine("sync/item", "here", 0.5) + elsewhere).high == Approx(30e-6));
  CHECK(widened({{"sync/item", "here", Basis::prices, 0.5}}).high == 11e-6);
  CHECK(widened(elsewhere).high == Approx(50e-6));
}

TEST_CASE("operators that were run again are calibrated by their like alone", "[misses]") {
  const auto misses = nine("sync/item", "here", 1) + nine("sync/item", "here", 0.25, Basis::operators);
  CHECK(widened(misses, true).high == Approx(10e-6 + 0.25 * 57.314e-6).epsilon(1e-4));
  CHECK(widened(misses, false).high == Approx(50e-6));
}

TEST_CASE("where more than half of the form could be saved or lost nothing is predicted", "[misses]") {
  auto one = prediction();
  const auto wide = nine("sync/item", "here", 1.3);
  widen(one, {"launch/fuse", "here", wide});
  CHECK_THAT(one.reason, Catch::Matchers::StartsWith("cannot predict: ") &&
                             Catch::Matchers::ContainsSubstring("52 % of the form below") &&
                             Catch::Matchers::ContainsSubstring("9 earlier rows"));
  CHECK(one.saving == 0);
}

TEST_CASE("a row without a prediction keeps its reason", "[misses]") {
  results::Prediction none;
  none.reason = "no price";
  const auto misses = nine("sync/item", "here", 1);
  widen(none, {"launch/fuse", "here", misses});
  CHECK(none.reason == "no price");
}

TEST_CASE("misses are read as they were written", "[misses]") {
  for (const auto basis : {Basis::prices, Basis::operators, Basis::elsewhere}) {
    const auto misses = misses_from_json(misses_to_json(nine("sync/item", "here", 0.5, basis)), "m.json");
    REQUIRE(misses.size() == 9);
    CHECK(misses[8].step == "sync/item");
    CHECK(misses[8].machine_class == "here");
    CHECK(misses[8].basis == basis);
    CHECK(misses[8].size == 0.5);
  }
}

TEST_CASE("misses that were kept before another machine's results counted are read", "[misses]") {
  auto json = misses_to_json(nine("sync/item", "here", 0.5));
  json["schema_version"]["major"] = 1;
  for (auto& miss : json["misses"]) {
    miss.erase("rests_on");
    miss["replayed"] = false;
  }
  json["misses"][0]["replayed"] = true;
  const auto misses = misses_from_json(json, "m.json");
  CHECK(misses.at(0).basis == Basis::operators);
  CHECK(misses.at(1).basis == Basis::prices);
}

TEST_CASE("a list of misses that is none is refused with its place", "[misses]") {
  auto json = misses_to_json(nine("a/b", "here", 1));
  json["misses"][3]["size"] = -1;
  CHECK_THROWS_WITH(misses_from_json(json, "m.json"), "m.json.misses[3].size: expected a size of at least 0");
  CHECK_THROWS_AS(misses_from_json(Json::array(), "m.json"), BadInput);
  json["schema_version"]["major"] = 3;
  CHECK_THROWS_AS(misses_from_json(json, "m.json"), BadInput);
}

TEST_CASE("a miss that rests on something unknown is refused with its place", "[misses]") {
  auto json = misses_to_json(nine("a/b", "here", 1));
  json["misses"][2]["rests_on"] = "hope";
  CHECK_THROWS_WITH(misses_from_json(json, "m.json"),
                    "m.json.misses[2].rests_on: 'hope' is nothing that a prediction rests on");
}

TEST_CASE("the shipped misses are enough for whatever a prediction rests on", "[misses]") {
  const auto shipped = shipped_misses();
  for (const auto basis : {Basis::prices, Basis::operators, Basis::elsewhere})
    CHECK(std::ranges::count(shipped, basis, &Miss::basis) >= 60);
}

}  // namespace
