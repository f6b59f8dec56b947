#include "tests/gpu/first_launches.hpp"
#include "tests/gpu/stand_in.hpp"

#include "harness/libtorch/work_counts.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;

/// Losses of four steps on the host, with or without a rehearsal before each.
std::vector<float> losses_of_steps(const Switches& switches, bool rehearsed) {
  const auto data = std::make_shared<const Dataset>(load_dataset({{"scale", "0.002"}}, 7));
  Trainer trainer({data, at::kCPU, {}, 7}, switches);
  for (int i = 0; i < 4; ++i) {
    if (rehearsed) trainer.rehearse();
    trainer.step();
  }
  return trainer.losses();
}

TEST_CASE("a rehearsal changes no later loss, to the bit: parameters and moments are put back", "[stgym]") {
  CHECK(losses_of_steps({}, false) == losses_of_steps({}, true));
  CHECK(losses_of_steps(all_kept(), false) == losses_of_steps(all_kept(), true));
}

/// Operators that a step calls on the first batch.
std::int64_t operators_of_step(Trainer& trainer) {
  trainer.rewind(0);
  return harness::count_calls([&] { trainer.step(); }).operators;
}

TEST_CASE("after a rehearsal the first step calls what the second one does: no state is made in it",
          "[stgym]") {
  const auto data = std::make_shared<const Dataset>(load_dataset({{"scale", "0.002"}}, 7));
  for (const auto& switches : {Switches{}, all_kept()}) {
    Trainer trainer({data, at::kCPU, {}, 7}, switches);
    trainer.rehearse();
    const auto first = operators_of_step(trainer);
    CHECK(first == operators_of_step(trainer));
  }
}

/// A rehearsal, the mark, and an epoch of steps.
void rehearse_then_train(const Switches& switches) {
  const at::Device gpu(at::kCUDA, 0);
  const auto data = std::make_shared<const Dataset>(move_to(load_dataset({{"scale", "0.002"}}, 7), gpu));
  Trainer trainer({data, gpu, {}, 7}, switches);
  trainer.rehearse();
  mark_the_record(gpu);
  for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i) trainer.step();
}

TEST_CASE("alone: the first form is rehearsed and trained", "[.alone]") { rehearse_then_train({}); }
TEST_CASE("alone: the best form is rehearsed and trained", "[.alone]") { rehearse_then_train(all_kept()); }

TEST_CASE("gpu: no kernel and no operator of a step is launched for the first time behind the rehearsal",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  if (!on_stand_in()) SKIP("needs the stand-in, which records launches");
  for (const auto* const form : {"first", "best"}) {
    INFO(form);
    const auto name = std::string("alone: the ") + form + " form is rehearsed and trained";
    CHECK(first_launches_behind_the_mark(name) == std::set<std::string>{});
  }
}

/// Losses of an epoch's steps on the host.
at::Tensor losses_of_epoch(const std::shared_ptr<const Dataset>& data, const Switches& switches) {
  Trainer trainer({data, at::kCPU, {}, 7}, switches);
  for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i) trainer.step();
  return at::tensor(trainer.losses());
}

TEST_CASE("features in BF16 keep every loss of an epoch within 2 %, and are another form's numbers",
          "[stgym]") {
  const auto data = std::make_shared<const Dataset>(load_dataset({{"scale", "0.002"}}, 7));
  auto switches = all_kept();
  const auto expected = losses_of_epoch(data, switches);
  switches.amx_products = true;
  const auto rounded = losses_of_epoch(data, switches);
  CHECK(at::allclose(rounded, expected, 2e-2, 0));
  CHECK_FALSE(at::allclose(rounded, expected, 1e-7, 0));
  CHECK(data->x.scalar_type() == at::kFloat);
}

TEST_CASE("the typical batch is the one nearest to the mean", "[stgym]") {
  const auto data = std::make_shared<const Dataset>(load_dataset({{"scale", "0.002"}}, 7));
  const Trainer trainer({data, at::kCPU, {}, 7}, {});
  double sum = 0;
  for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i) sum += trainer.nodes_of(i);
  const auto mean = sum / static_cast<double>(trainer.batches_per_epoch());
  const auto off = std::abs(trainer.nodes_of(trainer.typical_batch()) - mean);
  for (std::int64_t i = 0; i < trainer.batches_per_epoch(); ++i)
    CHECK(off <= std::abs(trainer.nodes_of(i) - mean));
}

}  // namespace
