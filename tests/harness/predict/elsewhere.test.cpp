// Rule 8 of docs/predictions.md: another machine's result, checked by what is counted here.
#include "tests/harness/run/rows.hpp"

#include "harness/predict/intervals.hpp"
#include "harness/predict/known_rows.hpp"
#include "harness/predict/scorecard.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::predict;
using Catch::Approx;

Json machine(int cores) { return {{"cpu_model", "AMD EPYC"}, {"physical_cores", cores}, {"gpu", nullptr}}; }

/// Counts say that 20 us of 100 us are saved.
results::Prediction counted() {
  return {.saving = 20e-6,
          .interval = {10e-6, 30e-6},
          .explained = 0.8,
          .below = 100e-6,
          .removes = {{.what = "operator calls", .seconds = 20e-6, .interval = {}}}};
}

std::vector<Miss> nine(const std::string& step, const std::string& class_of, double size,
                       Basis basis = Basis::elsewhere) {
  return std::vector<Miss>(9, {step, class_of, basis, size});
}

std::vector<Miss> operator+(std::vector<Miss> a, const std::vector<Miss>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// As it becomes where another machine has saved that share.
results::Prediction with(double share, const std::vector<Miss>& misses) {
  auto one = counted();
  take_from({.machine = "AMD EPYC (1 core)", .started = "2026-11-24", .share = share, .counted = one.saving},
            one, {"launch/fuse", "here", misses});
  return one;
}

TEST_CASE("another machine's saving is predicted, with an interval as wide as counts disagree",
          "[elsewhere]") {
  // A unit is 5 us + |30 us - 20 us|; the largest of nine misses is two thirds of one.
  const auto one = with(0.3, nine("sync/item", "here", 2.0 / 3));
  CHECK(one.saving == Approx(30e-6));
  CHECK(one.interval.low == Approx(20e-6));
  CHECK(one.interval.high == Approx(40e-6));
  CHECK(one.earlier_rows == 9);
  REQUIRE(one.elsewhere);
  CHECK(results::counted_saving(one) == Approx(20e-6));
}

TEST_CASE("where counts agree with the other machine a twentieth of the form is the unit", "[elsewhere]") {
  const auto one = with(0.2, nine("sync/item", "here", 1));
  CHECK(one.interval.low == Approx(15e-6));
  CHECK(one.interval.high == Approx(25e-6));
}

TEST_CASE("misses of counted savings and of the row's own step say nothing of another machine's results",
          "[elsewhere]") {
  for (const auto& misses : {nine("launch/fuse", "here", 1), nine("sync/item", "here", 1, Basis::operators),
                             nine("sync/item", "here", 1, Basis::prices)}) {
    const auto one = with(0.3, misses);
    CHECK(one.saving == counted().saving);
    CHECK(one.interval.high == counted().interval.high);
    CHECK_FALSE(one.elsewhere);
  }
}

TEST_CASE("of another machine's results, too, this class has the first say in the width", "[elsewhere]") {
  const auto misses = nine("sync/item", "here", 1) + nine("sync/item", "there", 2);
  CHECK(with(0.2, misses).interval.high == Approx(25e-6));
  CHECK(with(0.2, nine("sync/item", "there", 2)).interval.high == Approx(30e-6));
}

TEST_CASE("where the other machine and the counts are too far apart nothing is predicted", "[elsewhere]") {
  // A unit is 5 us + 70 us: 75 % of the form.
  const auto one = with(0.9, nine("sync/item", "here", 1));
  CHECK_THAT(one.reason, Catch::Matchers::StartsWith("cannot predict: the 90 % saved on AMD EPYC (1 core) "
                                                     "are so far from the 20 % counted here") &&
                             Catch::Matchers::ContainsSubstring("75 % of the form below"));
  CHECK(one.saving == 0);
  CHECK(results::counted_saving(one) == Approx(20e-6));
}

TEST_CASE("where nothing was counted another machine's result changes nothing", "[elsewhere]") {
  auto none = results::no_prediction("no price");
  const auto misses = nine("sync/item", "here", 1);
  take_from({.machine = "A", .started = "2026", .share = 0.3, .counted = 0}, none,
            {"launch/fuse", "here", misses});
  CHECK(none.reason == "no price");
  CHECK_FALSE(none.elsewhere);
}

TEST_CASE("the newest result on a machine of another class is taken, and none of this class", "[elsewhere]") {
  const std::vector<Known> known{{"a/b", machine(1), "2026-11-01", 0.1},
                                 {"a/b", machine(4), "2026-11-03", 0.3},
                                 {"a/b", machine(1), "2026-11-02", 0.2},
                                 {"a/b", machine(2), "2026-11-04", 0.4},
                                 {"a/c", machine(4), "2026-11-05", 0.5}};
  REQUIRE(newest_elsewhere(known, "a/b", machine(2)) != nullptr);
  CHECK(newest_elsewhere(known, "a/b", machine(2))->share == 0.3);
  CHECK(newest_elsewhere(known, "a/b", machine(4))->share == 0.4);
  CHECK(newest_elsewhere(known, "a/c", machine(4)) == nullptr);
}

TEST_CASE("a fact that only one of two fingerprints has makes no other machine of it", "[elsewhere]") {
  auto newer = machine(2);
  newer["hypervisor"] = true;
  const std::vector<Known> known{{"a/b", machine(2), "2026-11-01", 0.1}};
  CHECK(newest_elsewhere(known, "a/b", newer) == nullptr);
}

results::Row measured(const std::string& point, double saved) {
  return example::judged(example::row("launch/fuse", point), Verdict::helps, {1e-3, 1e-3 * (1 - saved)},
                         {0.5, 1});
}

results::Results session(int cores, std::vector<results::Row> rows) {
  results::Results results;
  results.session.started = "2026-11-24T00:00:00Z";
  results.fingerprint.hard = {{"machine", machine(cores)}};
  results.rows = std::move(rows);
  return results;
}

TEST_CASE("the other machine's processor is named, and its result stands beside what was counted",
          "[elsewhere]") {
  auto row = measured("n:1", 0.25);
  row.prediction = counted();
  const auto one = elsewhere_of(row, known_rows(session(1, {measured("n:1", 0.25)})), machine(2));
  REQUIRE(one);
  CHECK(one->machine == "AMD EPYC (1 core)");
  CHECK(one->started == "2026-11-24T00:00:00Z");
  CHECK(one->share == Approx(0.25));
  CHECK(one->counted == 20e-6);
}

TEST_CASE("a row without an interval of its time is not known", "[elsewhere]") {
  auto open = measured("n:1", 0.25);
  open.judged.ratio_interval.reset();
  auto tail = measured("n:2", 0.25);
  tail.measured.statistic = Statistic::tail;
  CHECK(known_rows(session(1, {open, tail})).empty());
}

TEST_CASE("a session whose options change its rows tells nothing of others", "[elsewhere]") {
  auto results = session(1, {measured("n:1", 0.25)});
  results.session.options = {{"ranks", "2"}, {"log", "folder"}};
  CHECK(known_rows(results).size() == 1);
  results.session.options = {{"ranks", "4"}};
  CHECK(known_rows(results).empty());
  results.session.options = {{"scale", "0.5"}};
  CHECK(known_rows(results).empty());
}

TEST_CASE("a predicted row gives a miss of what was counted and one of the other machine's result",
          "[elsewhere]") {
  // Saved are 35 us of 100 us. Counted were 20 us in units of 20 us + 20 us; there 30 us, in units of 15 us.
  auto row = measured("n:1", 0.35);
  row.prediction = with(0.3, nine("sync/item", "here", 0.1));
  Scorecard card;
  add_results(card, session(2, {row}), "r.json");
  const auto misses = misses_of(card.rows);
  REQUIRE(misses.size() == 2);
  CHECK(misses[0].basis == Basis::prices);
  CHECK(misses[0].size == Approx(15.0 / 40));
  CHECK(misses[1].basis == Basis::elsewhere);
  CHECK(misses[1].size == Approx(5.0 / 15));
}

TEST_CASE("a file from before gives the other machine's miss once both files are read", "[elsewhere]") {
  auto row = measured("n:1", 0.35);
  row.prediction = counted();
  Scorecard card;
  add_results(card, session(2, {row}), "here.json");
  CHECK(misses_of(card.rows).size() == 1);
  add_results(card, session(1, {measured("n:1", 0.3)}), "there.json");
  finish(card);
  const auto misses = misses_of(card.rows);
  REQUIRE(misses.size() == 2);
  CHECK(misses[1].size == Approx(5.0 / 15));
  CHECK(card.rows[0].prediction.saving == counted().saving);
}

TEST_CASE("known rows are read as they were written, of each class the newest, with four digits",
          "[elsewhere]") {
  const std::vector<Known> known{{"a/b", machine(1), "2026-11-01", 0.1},
                                 {"a/c", machine(1), "2026-11-01", 1.0 / 3},
                                 {"a/b", machine(1), "2026-11-02", -2.0},
                                 {"a/b", machine(2), "2026-11-01", 0.3}};
  const auto again = known_from_json(known_to_json(known), "rows.json");
  REQUIRE(again.size() == 3);
  CHECK(again[0].row == "a/c");
  CHECK(again[0].share == 0.3333);
  CHECK(again[0].machine == machine(1));
  CHECK(again[1].share == -2);
  CHECK(again[1].started == "2026-11-02");
  CHECK(again[2].machine == machine(2));
}

TEST_CASE("a list of rows that is none is refused with its place", "[elsewhere]") {
  const auto good = known_to_json(std::vector<Known>{{"a/b", machine(1), "2026-11-01", 0.1}});
  auto json = good;
  json["sessions"][0]["saved"]["a/b"] = 1.5;
  CHECK_THROWS_WITH(known_from_json(json, "rows.json"),
                    "rows.json.sessions[0].saved.a/b: expected a share of at most 1");
  json["sessions"][0]["saved"]["a/b"] = nullptr;
  CHECK_THROWS_AS(known_from_json(json, "rows.json"), BadInput);
  json = good;
  json["sessions"][0]["machine"] = "AMD";
  CHECK_THROWS_WITH(known_from_json(json, "rows.json"),
                    Catch::Matchers::StartsWith("rows.json.sessions[0].machine: "));
  json = good;
  json["schema"] = "tuneproof.misses";
  CHECK_THROWS_AS(known_from_json(json, "rows.json"), BadInput);
  CHECK_THROWS_AS(known_from_json(Json::array(), "rows.json"), BadInput);
}

TEST_CASE("the shipped rows are those of two machines", "[elsewhere]") {
  const auto shipped = shipped_rows();
  REQUIRE_FALSE(shipped.empty());
  const auto& one = shipped.front();
  CHECK(std::ranges::any_of(shipped, [&](const Known& other) { return other.machine != one.machine; }));
}

}  // namespace
