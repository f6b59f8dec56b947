#include "workloads/training/accuracy.hpp"

#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/same_answer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace harness;
using namespace workloads::training;

constexpr std::int64_t steps = 24;

Point point_of(Learned form) {
  const auto value = static_cast<std::int64_t>(form);
  return {.at = {{"form", value, std::string(learned_labels[value])}}};
}

Trial trial_of(Setup& setup, Learned form) {
  return accuracy_trial(setup, point_of(form), small_job(), steps);
}

std::vector<Figure> figures_in_round(int round, Learned form) {
  Setup setup;
  setup.round = round;
  return trial_of(setup, form).figures();
}

TEST_CASE("what is judged is the loss of samples that the training has not seen", "[accuracy]") {
  auto job = small_job();
  job.seed += 1 + 2;  // round 2
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

TEST_CASE("a learning rate ten times too high ends at a higher loss", "[accuracy]") {
  Setup setup;
  auto job = small_job();
  const auto data = workloads::gpt::pieces(std::string(workloads::gpt::own_text()), "docs", 512,
                                           32);  // more than it can know by heart
  job.dataset = std::make_shared<const Dataset>(data);
  const auto judged =
      accuracy_trial(setup, point_of(Learned::bf16_rate_x10), job, 16 * steps).figures().at(0);
  CHECK(judged.optimized > (1 + loss_margin) * judged.naive);
}

}  // namespace
