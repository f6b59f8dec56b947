#include "workloads/stgym/train/trainer.hpp"

#include "workloads/stgym/data/dataset.hpp"
#include "workloads/stgym/space/switches.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <vector>

namespace {

using namespace workloads::stgym;

/// Losses of four steps on the host; a rehearsal leaves no gradient behind.
std::vector<float> losses_of_steps(const Switches& switches, bool rehearsed) {
  const auto data = std::make_shared<const Dataset>(load_dataset({{"scale", "0.002"}}, 7));
  Trainer trainer({data, at::kCPU, {}, 7}, switches);
  for (int i = 0; i < 4; ++i) {
    if (rehearsed) trainer.rehearse();
    trainer.step();
  }
  return trainer.losses();
}

TEST_CASE("a step takes no gradient over from the step before it", "[stgym]") {
  CHECK(losses_of_steps({}, false) == losses_of_steps({}, true));
  CHECK(losses_of_steps(all_kept(), false) == losses_of_steps(all_kept(), true));
}

}  // namespace
