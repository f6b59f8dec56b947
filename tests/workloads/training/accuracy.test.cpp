#include "workloads/training/accuracy.hpp"

#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/judged_figure.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/core/verdict.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace workloads::training;

constexpr std::int64_t steps = 24;

Point point_of(Learned form, Judged judged = Judged::loss) {
  const auto value = static_cast<std::int64_t>(form), what = static_cast<std::int64_t>(judged);
  return {.at = {{"form", value, std::string(learned_labels[value])},
                 {"judged", what, std::string(judged_labels[what])}}};
}

Trial trial_of(Setup& setup, Learned form, Judged judged = Judged::loss) {
  return accuracy_trial(setup, point_of(form, judged), small_job(), steps);
}

std::vector<Figure> figures_in_round(int round, Learned form, Judged judged = Judged::loss) {
  Setup setup;
  setup.round = round;
  return trial_of(setup, form, judged).figures();
}

/// Of a text that the small GPT learns in a few steps, as long as its rate is right.
Job job_with_easy_text() {
  std::string text;
  while (text.size() < 20'000) text += "the quick brown fox jumps over the lazy dog, and ";
  auto job = small_job();
  job.dataset = std::make_shared<const Dataset>(workloads::gpt::pieces(text, "a sentence", 256, 8));
  return job;
}

/// What the rows of a form say, by the loss and by the labels, after as many rounds as a verdict needs.
std::array<Verdict, 2> verdicts_on(Learned form, std::int64_t steps_of_training) {
  constexpr int rounds = 8;
  std::array<std::vector<double>, 2> ratios;
  for (int round = 0; round < rounds; ++round) {
    Setup setup;
    setup.round = round;
    for (const auto judged : {Judged::loss, Judged::labels}) {
      const auto trial =
          accuracy_trial(setup, point_of(form, judged), job_with_easy_text(), steps_of_training);
      const auto ratio = judge_figure({trial, trial}, round).log_ratio;
      ratios.at(static_cast<std::size_t>(judged)).push_back(ratio);
      UNSCOPED_INFO("round " << round << ", " << judged_labels[static_cast<std::size_t>(judged)] << ": "
                             << ratio);
    }
  }
  const Rule rule{.looks = {rounds}, .delta = accuracy_margin};
  return {judge(ratios[0], rule).verdict, judge(ratios[1], rule).verdict};
}

TEST_CASE("what is judged is the loss of samples that the training has not seen", "[accuracy]") {
  auto job = small_job();
  job.seed += 1 + 2;  // round 2
  job.recipe.rate_falls_over = steps;
  Trainer naive(job, {}), fast(job, best());
  for (int i = 0; i < steps; ++i) {
    naive.step();
    fast.step();
  }
  const auto judged = figures_in_round(2, Learned::best).at(0);
  CHECK(judged.name == "validation loss");
  CHECK(judged.naive == naive.validate().loss);
  CHECK(judged.optimized == fast.validate().loss);
}

TEST_CASE("each round trains with a seed of its own", "[accuracy]") {
  CHECK(figures_in_round(0, Learned::best).at(0).naive != figures_in_round(1, Learned::best).at(0).naive);
}

TEST_CASE("both sets of a round share one training", "[accuracy]") {
  Setup setup;
  const auto first = trial_of(setup, Learned::best).figures(),
             second = trial_of(setup, Learned::best).figures();
  REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(first[i].naive == second[i].naive);  // seconds too
}

TEST_CASE("every form begins as the naive one", "[accuracy]") {
  for (const auto form : {Learned::best, Learned::bf16, Learned::bf16_rate_x10}) {
    Setup setup;
    CHECK_NOTHROW(check_same_answer(trial_of(setup, form), same_begin, [] {}));
  }
}

TEST_CASE("labels are judged by the guesses that a right one takes", "[accuracy]") {
  auto job = small_job();
  job.seed += 1;
  job.recipe.rate_falls_over = steps;
  Trainer naive(job, {});
  for (int i = 0; i < steps; ++i) naive.step();
  const auto figures = figures_in_round(0, Learned::best, Judged::labels);
  const auto right = naive.validate().right;
  REQUIRE(right > 0);
  CHECK(figures.at(0).name == "guesses for a right label");
  CHECK(figures.at(0).naive == 1 / right);
  CHECK(figures.at(1).name == "validation loss");
  CHECK(figures.at(2).naive == 100 * right);
}

TEST_CASE("rows of a worker share the naive training, and rows of a form share that", "[accuracy]") {
  Setup setup;
  const auto loss = trial_of(setup, Learned::best).figures();
  const auto labels = trial_of(setup, Learned::best, Judged::labels).figures();
  const auto bf16 = trial_of(setup, Learned::bf16).figures();
  const auto seconds = [](const std::vector<Figure>& figures) {
    const auto found = std::ranges::find(figures, "24 steps", &Figure::name);
    REQUIRE(found != figures.end());
    return *found;
  };
  CHECK(seconds(loss).naive == seconds(labels).naive);
  CHECK(seconds(loss).naive == seconds(bf16).naive);
  CHECK(seconds(loss).optimized == seconds(labels).optimized);
  CHECK(seconds(loss).optimized != seconds(bf16).optimized);
}

TEST_CASE("a learning rate ten times too high is found, by the loss and by the labels", "[accuracy]") {
  CHECK(verdicts_on(Learned::bf16_rate_x10, 4 * steps) == std::array{Verdict::hurts, Verdict::hurts});
}

TEST_CASE("the best form has kept its accuracy, by the loss and by the labels", "[accuracy]") {
  CHECK(verdicts_on(Learned::best, 2 * steps) == std::array{Verdict::no_effect, Verdict::no_effect});
}

TEST_CASE("a training that diverges is named with its form and seed", "[accuracy]") {
  Setup setup;
  auto job = small_job();
  job.recipe.learning_rate = 1e30;
  const auto trial = accuracy_trial(setup, point_of(Learned::best), job, steps);
  CHECK_THROWS_WITH(trial.figures(), "naive, seed 6: after 24 steps the loss is not finite");
}

}  // namespace
