#include "harness/tune/proof.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include "harness/core/median.hpp"
#include "harness/run/rounds.hpp"
#include "harness/tune/halving.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace harness::tune {
namespace {

using example::equal_cost;
using example::fake_plan;
using example::fake_training;
using example::planted_best;
using example::planted_cost;
using example::tried;
using example::with;

/// Slots with noise, as a worker would time them.
struct FakeMachine {
  std::function<double(const Settings&)> cost;
  double noise;
  const std::vector<Candidate>& candidates;
  Settings standard;
  example::Noise random;

  results::Row measured(results::Row row, int round) {
    const auto place = static_cast<std::size_t>(row.at.front().value) - 1;
    const auto ratio = std::log(cost(candidates[place].settings) / cost(standard));
    std::vector<double> pairs;
    for (int pair = 0; pair < row.measured.pairs; ++pair) {
      double sum = 0;
      for (int quad = 0; quad < 2; ++quad)
        for (int slot = 0; slot < 4; ++slot) {
          const bool optimized = (slot == 1 || slot == 2) == (quad == 0);  // ABBA BAAB
          const auto log = noise * random.normal() + (optimized ? ratio : 0);
          sum += (optimized ? 0.5 : -0.5) * log;
          row.measured.samples.push_back({.round = round,
                                          .pair = pair,
                                          .quad = quad,
                                          .slot = slot,
                                          .form = optimized ? Form::optimized : Form::naive,
                                          .seconds = std::exp(log)});
        }
      pairs.push_back(sum / 2);
    }
    row.measured.log_ratios = {median(pairs)};
    row.measured.setup_seconds = {0.1};
    row.measured.switches = {0};
    return row;
  }
};

results::Results measured(const Plan& plan, const std::vector<Candidate>& candidates,
                          const std::function<double(const Settings&)>& cost, double noise) {
  results::Results results;
  results.session.seed = plan.seed;
  results.session.looks = {14, 28, 56};
  results.session.pairs = 2;  // as tune_arguments.cpp has it
  results.session.alpha = 0.01;
  for (const auto& candidate : candidates) {
    results::Row row;
    row.name = "fake/tuned/setting:" + std::to_string(candidate.place);
    row.step = "fake/tuned";
    row.at = {{"setting", candidate.place, std::to_string(candidate.place)}};
    row.delta = 0.03;
    results.session.rows.push_back(row.name);
    results.rows.push_back(row);
  }
  FakeMachine machine{cost, noise, candidates, standard_of(plan), example::Noise(1000 + plan.seed)};
  const run::Runner runner{.run =
                               [&](const run::Pass& pass, const auto& ended) {
                                 for (auto row : pass.rows) {
                                   row.measured.iterations = 1;
                                   ended(pass.round ? machine.measured(row, *pass.round) : row);
                                 }
                                 return run::PassOutcome{.workers = 1};
                               },
                           .clock = [] { return run::Seconds(0); },
                           .store = [] {}};
  run::Rounds(results, {}, runner).run();
  return results;
}

/// Many settings, each tried once: the lowest is the luckiest.
std::vector<Tried> tried_once(Plan plan, const std::function<double(const Settings&)>& cost, double noise) {
  plan.trials = 90;  // of which successive halving makes about 40 contestants
  const auto train = fake_training(cost, noise, plan.seed);
  std::vector<Tried> trials;
  for (const auto& settings : contestants(plan))
    trials.push_back(
        train({static_cast<int>(trials.size()), settings}, [](const auto&) { return false; }).tried);
  return trials;
}

Judgement judgement(Verdict verdict, double ratio, Interval interval) {
  Judgement judged;
  judged.verdict = verdict;
  judged.ratio = ratio;
  judged.ratio_interval = interval;
  return judged;
}

TEST_CASE("the best three and the best of plain advice are proven, each once", "[proof]") {
  const auto plan = fake_plan();
  const auto advice = with(plan, {{"batch", "64"}});
  const auto one = with(plan, {{"batch", "16"}}), two = with(plan, {{"workers", "1"}}),
             three = with(plan, {{"workers", "2"}});
  const std::vector<Tried> trials{tried(0, standard_of(plan), 4), tried(1, advice, 3.5), tried(2, one, 1),
                                  tried(3, two, 2), tried(4, three, 3)};
  const auto all = candidates(plan, trials);
  REQUIRE(all.size() == 4);
  CHECK(all[0].settings == one);
  CHECK(all[0].promised == Catch::Approx(0.25));
  CHECK(all[2].label == "third");
  CHECK(all[3].label == "advice");
  CHECK(all[3].settings == advice);
  CHECK(all[3].place == 4);
}

TEST_CASE("where few can be proven the best comes first, then the advice", "[proof]") {
  const auto plan = fake_plan();
  const auto advice = with(plan, {{"batch", "64"}});
  const std::vector<Tried> trials{tried(0, standard_of(plan), 4), tried(1, advice, 3.5),
                                  tried(2, with(plan, {{"batch", "16"}}), 1),
                                  tried(3, with(plan, {{"workers", "1"}}), 2)};
  const auto labels = [&](std::size_t most) {
    std::vector<std::string> all;
    for (const auto& one : candidates(plan, trials, most)) all.push_back(one.label);
    return all;
  };
  CHECK(labels(1) == std::vector<std::string>{"best"});
  CHECK(labels(2) == std::vector<std::string>{"best", "advice"});
  CHECK(labels(3) == std::vector<std::string>{"best", "second", "advice"});
  // The advice is the third best.
  CHECK(labels(4) == std::vector<std::string>{"best", "second", "third"});
}

TEST_CASE("a proof that was cut before its first look says how to go on", "[proof]") {
  results::Row row;
  const Proven one{
      .candidate = {.label = "best", .settings = {}, .promised = 0.69}, .row = &row, .loss_ratio = {}};
  CHECK(conclusion({one}).ends_with("with a larger --budget goes on."));
}

TEST_CASE("what is slower than the standard settings is not a candidate, but the advice is", "[proof]") {
  const auto plan = fake_plan();
  const auto advice = with(plan, {{"batch", "64"}});
  const auto all = candidates(plan, std::vector{tried(0, standard_of(plan), 1), tried(1, advice, 3.5),
                                                tried(2, with(plan, {{"workers", "1"}}), 2)});
  REQUIRE(all.size() == 1);
  CHECK(all[0].label == "advice");
}

TEST_CASE("a planted gain is proven by an interval that holds it", "[proof]") {
  const auto plan = fake_plan();
  const std::vector<Tried> trials{tried(0, standard_of(plan), planted_cost(standard_of(plan))),
                                  tried(1, planted_best, 0.9 * planted_cost(planted_best))};
  const auto all = candidates(plan, trials);
  const auto results = measured(plan, all, planted_cost, 0.05);
  const auto shown = proven(plan, all, &results);
  const auto* const best = winner(shown);
  REQUIRE(best != nullptr);
  const auto truth = planted_cost(planted_best) / planted_cost(standard_of(plan));
  CHECK(best->row->judged.ratio_interval->low < truth);
  CHECK(best->row->judged.ratio_interval->high > truth);
  CHECK(best->candidate.promised < best->row->judged.ratio_interval->low);
}

TEST_CASE("where all settings are equal the best is promised a gain and proven to have none, 20 of 20 times",
          "[proof]") {
  int promised = 0, no_effect = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto plan = fake_plan(seed);
    const auto all = candidates(plan, tried_once(plan, equal_cost, 0.05));
    REQUIRE_FALSE(all.empty());
    promised += all.front().promised < 0.99;
    const auto results = measured(plan, all, equal_cost, 0.05);
    const auto shown = proven(plan, all, &results);
    no_effect += shown.front().row->judged.verdict == Verdict::no_effect;
    for (const auto& one : shown) CHECK(one.row->judged.verdict != Verdict::helps);
    CHECK(winner(shown) == nullptr);
  }
  CHECK(promised == 20);
  CHECK(no_effect == 20);
}

TEST_CASE("settings that end at a worse loss on other seeds do not win", "[proof]") {
  const auto plan = fake_plan();
  const auto all = candidates(plan, std::vector{tried(0, standard_of(plan), planted_cost(standard_of(plan))),
                                                tried(1, planted_best, 1e-4)});
  auto results = measured(plan, all, planted_cost, 0.01);
  results.rows[0].measured.figures = {{"validation loss", "", 2, 2.05}};
  CHECK(winner(proven(plan, all, &results)) != nullptr);
  results.rows[0].measured.figures = {{"validation loss", "", 2, 2.2}};
  const auto shown = proven(plan, all, &results);
  CHECK(winner(shown) == nullptr);
  CHECK(proof_text(shown[0]).ends_with("its loss on other seeds is 10.0 % worse"));
}

TEST_CASE("what was claimed stands beside what was measured", "[proof]") {
  results::Row row;
  row.judged = judgement(Verdict::helps, 0.76, Interval{0.74, 0.78});
  const Proven one{
      .candidate = {.label = "best", .settings = {}, .promised = 0.69}, .row = &row, .loss_ratio = {}};
  CHECK(proof_text(one) == "promised -31.0 %, measured -24.0 % [-26.0, -22.0]: faster");
  row.judged.verdict = Verdict::skipped;
  row.reason = "no room";
  CHECK(proof_text(one) == "promised -31.0 %, not measured: no room");
}

TEST_CASE("the conclusion says what was proven, or that nothing was", "[proof]") {
  CHECK(conclusion({}).starts_with("The search found nothing faster"));
  results::Row row;
  row.judged = judgement(Verdict::no_effect, 0.99, Interval{0.98, 1.01});
  const Proven one{
      .candidate = {.label = "best", .settings = {}, .promised = 0.69}, .row = &row, .loss_ratio = {}};
  CHECK(conclusion({one}).starts_with("Nothing better than the standard settings was proven"));
  row.judged.verdict = Verdict::helps;
  CHECK(conclusion({one}).starts_with("Proven: the best settings"));
}

}  // namespace
}  // namespace harness::tune
