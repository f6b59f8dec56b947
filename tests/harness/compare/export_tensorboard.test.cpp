#include "harness/compare/export_tensorboard.hpp"

#include "tests/harness/compare/example.hpp"
#include "tests/harness/tensorboard/records.hpp"

#include "harness/compare/ladder_picture.hpp"
#include "harness/compare/trials_file.hpp"
#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <cmath>

using namespace harness;
using namespace harness::compare;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

results::Results session_at(const std::string& id, const std::string& started) {
  auto json = example::results({{.id = "stgym/a/unit:step/device:cpu"}, {.id = "sync/b/device:cpu"}});
  json["tuneproof"]["session"]["id"] = id;
  json["tuneproof"]["session"]["started"] = started;
  json["tuneproof"]["pairs"][0]["at"] = {{{"axis", "unit"}, {"value", 0}, {"text", "step"}}};
  return example::run(json);
}

const std::string first_day = "2026-01-01T00:00:00+00:00", second_day = "2026-01-02T00:00:00+00:00";

}  // namespace

TEST_CASE("a class of machine is one run, whose steps are its sessions in the order of time",
          "[tensorboard]") {
  const auto files = event_files_of({session_at("b", second_day), session_at("a", first_day)});
  REQUIRE(files.size() == 1);
  const auto events = tensorboard::events_of(files.begin()->second);
  // The version; then for each session a text, four numbers of each row, and a picture of the ladder.
  REQUIRE(events.size() == 1 + 2 * (1 + 2 * 4 + 1));
  CHECK(events[1].substr(9, 1) == "\x2A");       // step 0 is left out: the summary
  CHECK(events[11].substr(9, 2) == "\x10\x01");  // step 1
}

TEST_CASE("a session that is given twice counts once", "[tensorboard]") {
  const auto once = event_files_of({session_at("a", first_day)});
  CHECK(event_files_of({session_at("a", first_day), session_at("a", first_day)}) == once);
}

TEST_CASE("a verdict is a number, and none where the row cannot tell", "[tensorboard]") {
  CHECK(verdict_number(Verdict::helps) == 1);
  CHECK(verdict_number(Verdict::no_effect) == 0);
  CHECK(verdict_number(Verdict::hurts) == -1);
  CHECK(std::isnan(verdict_number(Verdict::inconclusive)));
}

TEST_CASE("a ladder is a picture of the rows with a unit, and of no others", "[tensorboard]") {
  const auto pictures = ladder_pictures(session_at("a", first_day));
  REQUIRE(pictures.size() == 1);
  CHECK(pictures[0].name == "stgym/step/cpu");
  CHECK(pictures[0].image.height == 64 + 40 + 16);  // title, one rung, margin
}

TEST_CASE("a setting that is a number as text is a number, and other text stays", "[tensorboard]") {
  const Json first{
      {"number", 0}, {"seconds", 2}, {"state", "failed"}, {"settings", Json::object()}, {"reason", "no"}};
  const Json second{{"number", 3},
                    {"seconds", 4},
                    {"state", "complete"},
                    {"settings", {{"batch", "16"}, {"kind", "16 threads"}, {"pin", "true"}}},
                    {"seconds_per_sample", 0.25},
                    {"peak_bytes", 3 << 20},
                    {"loss", 0.5},
                    {"samples", 64}};
  const Json search{{"started", first_day}, {"trials", {first, second}}};
  const auto trials = read_search(search, "s.json").trials;
  CHECK_FALSE(trials.at(0).succeeded);
  const auto& trial = trials.at(1);
  CHECK(trial.name == "trial-3");
  CHECK(trial.started == trials.at(0).started + 2);
  CHECK(trial.ended == trial.started + 4);
  CHECK(trial.succeeded);
  CHECK(trial.settings.at("batch") == tensorboard::Setting(16.));
  CHECK(trial.settings.at("kind") == tensorboard::Setting(std::string("16 threads")));
  CHECK(trial.settings.at("pin") == tensorboard::Setting(true));
  CHECK(trial.results.at("samples_per_second") == 4);
  CHECK(trial.results.at("peak_mib") == 3);
  CHECK(trial.results.at("loss") == 0.5);
}

TEST_CASE("a search's malformed trial is refused with its place", "[tensorboard]") {
  const Json trial{{"number", 3}, {"seconds", 1}, {"settings", Json::object()}, {"state", "won"}};
  const Json search{{"started", first_day}, {"trials", Json::array({trial})}};
  CHECK_THROWS_MATCHES(
      read_search(search, "s.json"), BadInput,
      MessageMatches(ContainsSubstring("trials[0].state: expected complete, pruned or failed, not 'won'")));
}
