#include "workloads/training/trainer.hpp"

#include "tests/gpu/first_launches.hpp"
#include "tests/gpu/stand_in.hpp"
#include "tests/workloads/training/small_gpt.hpp"

#include "harness/libtorch/work_counts.hpp"

#include "workloads/training/optimizer.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace {

using namespace workloads::training;

std::vector<float> losses_of(const Switches& switches) {
  Trainer trainer(small_job(), switches);
  for (int i = 0; i < 5; ++i) trainer.step();
  return trainer.losses();
}

TEST_CASE("every change that promises equal arithmetic trains to the same losses", "[trainer]") {
  const auto naive = losses_of({});
  CHECK(losses_of({.log_every_n = true}) == naive);
  CHECK(losses_of({.gradients_to_none = true}) == naive);
  CHECK(losses_of({.transform_ahead = true}) == naive);
  CHECK(losses_of({.workers = true}) == naive);
}

TEST_CASE("workers hand out an epoch from any batch on, and the next epoch after it", "[trainer]") {
  Trainer slow(small_job(), {}), fast(small_job(), {.workers = true});
  for (auto* trainer : {&slow, &fast}) {
    trainer->rewind(1);
    for (std::int64_t i = 0; i < trainer->batches_per_epoch() + 1; ++i) trainer->step();
  }
  CHECK(fast.losses() == slow.losses());
}

TEST_CASE("batches behind the last one are refused", "[trainer]") {
  const auto given = small_job();
  Loading loading({.feed = Feed(*given.dataset, false)}, {{0, 1}});
  CHECK(loading.next().input.size(0) == 2);
  CHECK_THROWS_AS(loading.next(), std::out_of_range);
}

std::atomic<int> pinned = 0;
thread_local int pinned_here = 0;

std::unique_ptr<at::ObserverContext> count_pinned(const at::RecordFunction& call) {
  if (std::string_view(call.name()) != "aten::pin_memory") return nullptr;
  ++pinned;
  ++pinned_here;
  return nullptr;
}

TEST_CASE("gpu: batches that are copied ahead are pinned by their workers", "[trainer][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const auto given = small_job();
  const auto handle = at::addGlobalCallback(at::RecordFunctionCallback(count_pinned));
  pinned = pinned_here = 0;
  Loading loading(
      {.feed = Feed(*given.dataset, false), .device = {at::kCUDA, 0}, .workers = 1, .ahead = true},
      {{0, 1}, {1, 2}});
  const auto first = loading.next();
  at::removeCallback(handle);
  CHECK(first.input.is_cuda());
  CHECK(pinned >= 2);
  CHECK(pinned_here == 0);
}

TEST_CASE("a scaled loss gives the gradients of a plain one", "[scale]") {
  LossScale scale(at::kCPU);
  const auto a = at::tensor({3.0F}).requires_grad_();
  scale.scaled((a * a).sum()).backward();
  CHECK(a.grad().item<float>() == 6 * 1024);
  CHECK(scale.unscale({{"a", a}}));
  CHECK(a.grad().item<float>() == 6);
  CHECK(scale.factor() == 1024);
}

TEST_CASE("a gradient that is not finite leaves the update out and halves the scale", "[scale]") {
  LossScale scale(at::kCPU);
  const auto a = at::tensor({3.0F}).requires_grad_();
  a.mutable_grad() = at::full({1}, std::numeric_limits<float>::infinity());
  CHECK_FALSE(scale.unscale({{"a", a}}));
  CHECK(scale.factor() == 512);
}

TEST_CASE("all kept changes together train to nearly the same losses", "[trainer]") {
  const auto naive = losses_of({}), fast = losses_of(best());
  REQUIRE(naive.size() == fast.size());
  for (std::size_t i = 0; i < naive.size(); ++i) CHECK(std::abs(naive[i] - fast[i]) < 1e-4F * naive[i]);
}

/// With so many of its samples to learn from and to validate.
Job job_with(std::int64_t training, std::int64_t validation) {
  auto job = small_job();
  auto data = *job.dataset;
  data.training = training;
  data.validation = validation;
  job.dataset = std::make_shared<const Dataset>(std::move(data));
  return job;
}

TEST_CASE("data that fills no batch is refused, with what there is and what a batch takes", "[trainer]") {
  CHECK_THROWS_WITH(Trainer(job_with(3, 8), {}),
                    "docs: there are 3 pieces of 64 characters to learn from, and a batch takes 4; give it "
                    "more data");
}

TEST_CASE("fewer validation samples than a batch are validated all the same", "[trainer]") {
  CHECK(Trainer(job_with(12, 3), {}).validate().loss > 1);
}

TEST_CASE("a validation's last batch counts by its samples", "[trainer]") {
  auto whole = job_with(12, 6);
  whole.validation_batch = 6;
  const auto once = Trainer(whole, {}).validate().loss;
  CHECK(std::abs(Trainer(job_with(12, 6), {}).validate().loss - once) < 1e-5 * once);
}

TEST_CASE("a training of some epochs lowers the validation loss", "[trainer]") {
  Trainer trainer(small_job(), best());
  const auto before = trainer.validate().loss;
  for (int epoch = 0; epoch < 10; ++epoch) trainer.epoch();
  CHECK(trainer.validate().loss < before - 0.5);
}

TEST_CASE("after a restart the same losses come again", "[trainer]") {
  Trainer trainer(small_job(), best());
  trainer.epoch();
  const auto first = trainer.losses();
  trainer.restart();
  trainer.rehearse();
  trainer.epoch();
  CHECK(trainer.losses() == first);
}

TEST_CASE("a rehearsal changes no later loss, to the bit, by any optimizer", "[trainer]") {
  for (const auto algorithm : {Algorithm::sgd, Algorithm::adam, Algorithm::adamw})
    for (const bool fused : {false, true}) {
      if (fused && algorithm == Algorithm::sgd) continue;
      auto job = small_job();
      job.recipe.algorithm = algorithm;
      job.recipe.momentum = 0.9;
      auto switches = best();
      switches.fused_optimizer = fused;
      Trainer plain(job, switches), rehearsed(job, switches);
      for (int i = 0; i < 3; ++i) {
        plain.step();
        rehearsed.rehearse();
        rehearsed.step();
      }
      CHECK(plain.losses() == rehearsed.losses());
    }
}

TEST_CASE("after a rehearsal no step makes an optimizer's state", "[trainer]") {
  for (const auto& switches : {Switches{}, best()}) {
    Trainer trainer(small_job(), switches);
    trainer.rehearse();
    const auto operators = [&] {
      trainer.rewind(0);
      return harness::count_calls([&] { trainer.step(); }).operators;
    };
    const auto first = operators();
    CHECK(first == operators());
  }
}

/// A rehearsal, the mark, and an epoch of steps.
void rehearse_then_train(const Switches& switches) {
  auto job = small_job();
  job.device = at::Device(at::kCUDA, 0);
  Trainer trainer(job, switches);
  trainer.rehearse();
  mark_the_record(job.device);
  for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i) trainer.step();
}

TEST_CASE("alone: a naive model is rehearsed and trained", "[.alone]") { rehearse_then_train({}); }
TEST_CASE("alone: a fast model is rehearsed and trained", "[.alone]") { rehearse_then_train(best()); }

TEST_CASE("gpu: a model launches nothing for the first time behind its rehearsal", "[trainer][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  if (!on_stand_in()) SKIP("needs the stand-in, which records launches");
  for (const auto* const form : {"naive", "fast"}) {
    INFO(form);
    const auto name = std::string("alone: a ") + form + " model is rehearsed and trained";
    CHECK(first_launches_behind_the_mark(name) == std::set<std::string>{});
  }
}

TEST_CASE("an epoch takes every sample at most once and in another order than the one before", "[trainer]") {
  const auto first = shuffled_batches(10, 4, 1), second = shuffled_batches(10, 4, 2);
  REQUIRE(first.size() == 2);
  std::set<std::int64_t> seen;
  for (const auto& batch : first) seen.insert(batch.begin(), batch.end());
  CHECK(seen.size() == 8);
  CHECK(first != second);
}

TEST_CASE("clipping scales all gradients to the norm, one by one as together", "[trainer]") {
  for (const bool together : {false, true}) {
    const auto a = at::zeros({2}).requires_grad_(), b = at::zeros({1}).requires_grad_();
    a.mutable_grad() = at::tensor({0.0, 6.0}).to(at::kFloat);
    b.mutable_grad() = at::tensor({8.0}).to(at::kFloat);
    clip_gradients({{"a", a}, {"b", b}}, 1, together);
    CHECK(std::abs(a.grad()[1].item<float>() - 0.6F) < 1e-6F);
    CHECK(std::abs(b.grad()[0].item<float>() - 0.8F) < 1e-6F);
    clip_gradients({{"a", a}, {"b", b}}, 2, together);
    CHECK(std::abs(b.grad()[0].item<float>() - 0.8F) < 1e-6F);  // below the norm nothing changes
  }
}

}  // namespace
