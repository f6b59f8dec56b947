#include "harness/tune/tune_file.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include "harness/tune/tune_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <sstream>
#include <string>

namespace harness::tune {
namespace {

using Catch::Matchers::ContainsSubstring, Catch::Matchers::Matches;
using example::tried;
using example::with;

Outcome outcome() {
  const auto plan = example::fake_plan();
  auto failed = tried(2, with(plan, {{"compiled", "yes"}}), 0);
  failed.state = State::failed;
  failed.reason = "no compiler";
  Outcome made{
      .plan = plan,
      .searcher = "successive halving",
      .started = "2026-01-31T12:00:00+00:00",
      .commit = "abc1234",
      .fingerprint = {},
      .trials = {tried(0, standard_of(plan), 2e-3, 3e6, 2), tried(1, example::planted_best, 1e-3, 4e6, 2),
                 failed, tried(3, with(plan, {{"batch", "4"}}), 4e-3, 1e6, 2.5)}};
  made.candidates = candidates(plan, made.trials);
  return made;
}

TEST_CASE("the file has every trial, the front, and what was claimed", "[file]") {
  const auto json = outcome_to_json(outcome());
  CHECK(is_tune_file(json));
  CHECK_NOTHROW(require_tune_file(Field(json, "tune.json")));
  CHECK(json["trials"].size() == 4);
  CHECK(json["trials"][1]["difference"] == "batch=32 channels=yes format=bf16 workers=2");
  CHECK(json["trials"][1]["keeps_limits"] == true);
  CHECK(json["trials"][3]["keeps_limits"] == false);
  CHECK(json["trials"][2]["reason"] == "no compiler");
  CHECK(json["front"].size() == 2);
  CHECK(json["candidates"][0]["promised"] == 0.5);
  CHECK(json["candidates"][0]["sentence"] == "promised -50.0 %, not measured");
  CHECK(json["chosen"].is_null());
}

TEST_CASE("a file that lacks something is refused, and the place is named", "[file]") {
  auto json = outcome_to_json(outcome());
  json["trials"][1].erase("loss");
  CHECK_THROWS_WITH(require_tune_file(Field(json, "tune.json")), ContainsSubstring("tune.json.trials[1]"));
  json = outcome_to_json(outcome());
  json["front"][0]["peak_bytes"] = "many";
  CHECK_THROWS_WITH(require_tune_file(Field(json, "tune.json")), ContainsSubstring("front[0].peak_bytes"));
}

TEST_CASE("a line on a trial names the best so far", "[text]") {
  const auto all = outcome();
  CHECK(trial_line(all.plan, all.trials[1], all.trials) ==
        "trial 2/40: batch=32 channels=yes format=bf16 workers=2: 1.00 ms per sample, 3.81 MiB, loss 2.00; "
        "best so far "
        "-50.0 % "
        "(trial 2)");
  CHECK_THAT(trial_line(all.plan, all.trials[2], {}), ContainsSubstring("no compiler"));
}

TEST_CASE("the search in words: counts, the best, the front, what mattered", "[text]") {
  const auto text = search_text(outcome(), Style{});
  CHECK_THAT(text, ContainsSubstring("fake: 4 trials by successive halving, seed 1"));
  CHECK_THAT(text, ContainsSubstring("3 complete, 0 given up, 1 failed"));
  CHECK_THAT(text, ContainsSubstring("loss at most 5.00 % above the standard"));
  CHECK_THAT(text, ContainsSubstring("What mattered: "));
}

/// The search in words, each line break a blank.
std::string said_of(const Outcome& outcome) {
  std::istringstream words(search_text(outcome, Style{}));
  std::string all;
  for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
  return all;
}

TEST_CASE("a machine that drifts during a search is said to", "[text]") {
  auto all = outcome();
  CHECK_THAT(said_of(all), !ContainsSubstring("first trial"));
  all.trials.push_back(tried(4, standard_of(all.plan), 2.02e-3));
  CHECK_THAT(said_of(all), ContainsSubstring("in their first trial and 2.02 ms in their last: +1.0 %."));
  CHECK_THAT(said_of(all), !ContainsSubstring("has changed meanwhile"));
  all.trials.push_back(tried(5, standard_of(all.plan), 2.6e-3));
  CHECK_THAT(said_of(all), ContainsSubstring("+30.0 %. The machine has changed meanwhile"));
}

TEST_CASE("a trial beyond those that were asked for is no part of their number", "[text]") {
  const auto all = outcome();
  CHECK_THAT(trial_line(all.plan, tried(40, standard_of(all.plan), 2e-3), all.trials),
             ContainsSubstring("trial 41, once more: standard"));
}

TEST_CASE("before the standard settings have an answer nothing is compared", "[text]") {
  auto none = outcome();
  none.trials.erase(none.trials.begin());
  CHECK_THAT(search_text(none, Style{}), ContainsSubstring("nothing can be compared"));
}

TEST_CASE("a search without the standard settings' answer concludes nothing about it", "[file]") {
  auto none = outcome();
  none.trials.clear();
  none.candidates.clear();
  CHECK_THAT(outcome_to_json(none)["conclusion"].get<std::string>(),
             ContainsSubstring("Nothing was compared"));
  CHECK_THAT(proof_page(none, "", Style{}), ContainsSubstring("Nothing was compared"));
}

TEST_CASE("a plan in words has the knobs that are fixed, with their value", "[text]") {
  auto plan = example::fake_plan();
  plan.fixed = {{"format", "bf16"}};
  CHECK_THAT(plan_text(plan, Style{}), Matches(R"([\s\S]*format +bf16 \(fixed\) +fp32 +-\n[\s\S]*)"));
}

TEST_CASE("a plan in words has knobs, trials and time", "[text]") {
  auto plan = example::fake_plan();
  plan.budget = Seconds(600);
  plan.row_seconds = 30;
  CHECK_THAT(plan_text(plan, Style{}), !ContainsSubstring("(fixed)"));
  const auto text = plan_text(plan, Style{});
  CHECK_THAT(text, ContainsSubstring("batch *"));
  CHECK_THAT(text, ContainsSubstring("480 settings, 40 trials of 1024 samples each"));
  CHECK_THAT(text, ContainsSubstring("search: about 4 min 40 s, proof: about 4 min 0 s (the budget)"));
}

}  // namespace
}  // namespace harness::tune
