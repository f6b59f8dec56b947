#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/same_answer.hpp"

#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/training/trial.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <variant>
#include <vector>

namespace {

using namespace workloads::training;
using harness::Answer;
using harness::Form;
using harness::Setup;

Job job_without_a_batch() {
  auto job = small_job();
  auto fewer = *job.dataset;
  fewer.training -= job.batch_size;
  job.dataset = std::make_shared<const Dataset>(fewer);
  return job;
}

Answer after_an_epoch(Setup& setup, const Job& job) {
  const auto trial = trainings_trial(setup, {job, {}}, {job, {.transform_ahead = true}}, TimedUnit::epoch);
  trial.clear();
  trial.before_slot(Form::naive);
  trial.naive();
  return trial.answer(Form::naive);
}

TEST_CASE("an epoch has all batches in every round", "[epoch]") {
  for (int round = 0; round < 4; ++round) {
    INFO("round " << round);
    Setup setup;
    setup.round = round;
    CHECK(std::get<std::vector<float>>(after_an_epoch(setup, small_job())).size() ==
          3 + 1);  // batches of small_job, and the validation
  }
}

TEST_CASE("rounds of an epoch have another order each", "[epoch]") {
  Setup first, second;
  second.round = 1;
  CHECK(after_an_epoch(first, small_job()) != after_an_epoch(second, small_job()));
}

TEST_CASE("a batch that is left out of an epoch is noticed, whatever tolerance its losses have", "[epoch]") {
  Setup setup;
  const harness::Tolerance wide{.relative = 10, .why = "a test"};
  const auto whole = after_an_epoch(setup, small_job());
  CHECK(is_same(whole, after_an_epoch(setup, small_job()), wide));
  CHECK_FALSE(is_same(whole, after_an_epoch(setup, job_without_a_batch()), wide));
}

/// The small GPT, which learns from the first four batches only.
Network tired(at::TensorOptions options) {
  auto network = small_gpt(options);
  network.predict = [predict = network.predict, batches = std::make_shared<int>(0)](
                        const at::Tensor& input, const Switches& switches, Mode mode) {
    const auto output = predict(input, switches, mode);
    const bool learns = mode != Mode::training || ++*batches <= 4;
    return learns ? output : output.detach() + 0 * output;
  };
  return network;
}

TEST_CASE("an epoch that learns from its first batches only is noticed", "[epoch]") {
  Setup setup;
  auto job = small_job();
  job.dataset = std::make_shared<const Dataset>(
      workloads::gpt::pieces(std::string(workloads::gpt::own_text()), "docs", 48, 8));
  auto other = job;
  other.make = tired;
  const auto whole = after_an_epoch(setup, job);
  CHECK(is_same(whole, after_an_epoch(setup, job), workloads::gpt::other_order));
  CHECK_FALSE(is_same(whole, after_an_epoch(setup, other), workloads::gpt::other_order));
}

}  // namespace
