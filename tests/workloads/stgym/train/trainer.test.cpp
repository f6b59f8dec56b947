#include "harness/libtorch/work_counts.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/switches.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <memory>
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
