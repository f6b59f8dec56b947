// Tips whose gain is launches say beside it what these cost the host of the machine.
#include "tests/gpu/require_device.hpp"
#include "tests/stand_in/rows/sizes.hpp"

#include "harness/libtorch/torch_runtime.hpp"

#include "microbench/microbench_steps.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>

namespace {

using namespace harness;

TEST_CASE("what launches cost the host stands beside each tip that saves them", "[launch][gpu]") {
  require_device();
  TorchRuntime torch(at::get_num_threads());
  Setup setup;
  setup.device = {Device::Kind::cuda, 0};
  setup.stream = torch.stream_for(setup.device);
  for (const auto* const id : {"launch/cost", "launch/run_ahead", "launch/graph_short_kernels",
                               "launch/graph_small_batch", "launch/graph_partial", "optimizer/graph_step"}) {
    INFO(id);
    const auto* const step = *std::ranges::find(microbench::steps(), id, &Step::id);
    const auto trial = step->prepare(setup, rows::capped(*step, points(*step, setup.device).front()));
    REQUIRE(trial.figures);
    const auto figures = trial.figures();
    CHECK(std::ranges::any_of(figures, [](const Figure& figure) {
      return figure.name.starts_with("host") && figure.unit == "us" && figure.naive > 0;
    }));
  }
}

}  // namespace
