#include "tests/workloads/training/small_gpt.hpp"

#include "workloads/gpt/gpt_memory.hpp"
#include "workloads/gpt/gpt_rung.hpp"
#include "workloads/training/network.hpp"
#include "workloads/training/size.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace workloads::gpt_checkpoint_batch {
extern const harness::Step step;
}  // namespace workloads::gpt_checkpoint_batch

namespace {

using namespace workloads;
using namespace workloads::training;

std::int64_t found(std::int64_t guess, std::int64_t most) {
  return largest_batch(guess, [most](std::int64_t batch) { return batch <= most; });
}

TEST_CASE("small batches are found to the last sample, from any guess", "[memory]") {
  for (const std::int64_t most : {1, 2, 7, 16, 17})
    for (const std::int64_t guess : {1, 3, 16, 100, 5000}) CHECK(found(guess, most) == most);
}

TEST_CASE("large batches are found to within a sixteenth and never too large", "[memory]") {
  for (const std::int64_t guess : {1, 900, 1000, 4096}) {
    CHECK(found(guess, 1000) <= 1000);
    CHECK(found(guess, 1000) > 1000 - 1000 / 16);
  }
}

TEST_CASE("where not even one sample fits, the batch is 0", "[memory]") { CHECK(found(8, 0) == 0); }

TEST_CASE("a batch that was refused is not tried again", "[memory]") {
  std::vector<std::int64_t> tried;
  largest_batch(10, [&](std::int64_t batch) {
    tried.push_back(batch);
    return batch <= 21;
  });
  CHECK(tried == std::vector<std::int64_t>{10, 20, 40, 30, 25, 22, 21});
}

TEST_CASE("checkpoints change no gradient", "[memory]") {
  const auto x = at::arange(1., 4.).requires_grad_(), w = at::full({3}, 2.).requires_grad_();
  const auto run = [&w](const at::Tensor& in) { return (in * w).square(); };
  checkpointed(run, x).sum().backward();
  const auto of_x = x.grad().clone(), of_w = w.grad().clone();
  x.mutable_grad().reset();
  w.mutable_grad().reset();
  run(x).sum().backward();
  CHECK(of_x.equal(x.grad()));
  CHECK(of_w.equal(w.grad()));
}

TEST_CASE("what a checkpoint leaves out runs once in each direction", "[memory]") {
  int runs = 0;
  const auto x = at::ones({2}).requires_grad_();
  const auto y = checkpointed(
      [&runs](const at::Tensor& in) {
        ++runs;
        return in.exp();
      },
      x);
  CHECK(runs == 1);
  y.sum().backward();
  CHECK(runs == 2);
}

std::vector<float> first_step_of(std::int64_t parts, bool checkpoint) {
  auto job = small_job();
  job.parts = parts;
  auto switches = best();
  switches.checkpoint = checkpoint;
  Trainer trainer(job, switches);
  trainer.step();
  return trainer.first_step();
}

TEST_CASE("a batch in parts, one with checkpoints and a whole one take the same step", "[memory]") {
  const auto whole = first_step_of(1, false), parts = first_step_of(4, false), again = first_step_of(1, true);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    CHECK(std::abs(parts[i] - whole[i]) < 1e-4F * std::abs(whole[i]));
    CHECK(std::abs(again[i] - whole[i]) < 1e-4F * std::abs(whole[i]));
  }
}

/// The small GPT, which notes the largest batch that it was given.
std::int64_t largest_given = 0;
Network noting_batches(at::TensorOptions options) {
  auto network = small_gpt(options);
  network.predict = [predict = network.predict](const at::Tensor& input, const Switches& switches,
                                                Mode mode) {
    largest_given = std::max(largest_given, input.size(0));
    return predict(input, switches, mode);
  };
  return network;
}

TEST_CASE("a batch in parts is warmed up in parts, too", "[memory]") {
  auto job = small_job();
  job.parts = 4;
  job.make = noting_batches;
  Trainer trainer(job, best());
  largest_given = 0;
  trainer.rehearse();
  CHECK(largest_given == job.batch_size / job.parts);
}

TEST_CASE("the formula gives back the batch that it is asked for", "[memory]") {
  const gpt::Shape shape;
  for (const auto keep : {gpt::Keep::all, gpt::Keep::inputs})
    CHECK(gpt::batch_by_formula(shape, gpt::bytes_by_formula(shape, 40, keep) + 1, keep) == 40);
  CHECK(gpt::batch_by_formula(shape, 1 << 20, gpt::Keep::all) == 0);  // parameters alone take more
}

TEST_CASE("the step that searches for its batch is skipped where one is given", "[memory]") {
  harness::Setup setup;
  setup.options.insert_or_assign("batch-size", "4");
  CHECK_THROWS_WITH(gpt_checkpoint_batch::step.prepare(setup, {}),
                    "it looks for the largest batch itself, within --memory; run it without --batch-size");
}

TEST_CASE("a fresh process grows with the batch, and less with checkpoints", "[memory]") {
#if defined(__SANITIZE_ADDRESS__)
  SKIP("AddressSanitizer keeps freed memory back");
#endif
  const auto small = gpt::peak_of_step({}, 16, gpt::Keep::all),
             large = gpt::peak_of_step({}, 64, gpt::Keep::all);
  CHECK(small > 0);
  CHECK(large > 1.5 * small);
  CHECK(gpt::peak_of_step({}, 64, gpt::Keep::inputs) < 0.7 * large);
}

}  // namespace
