// Every rung of the ladder on configurations that it was not written for.
#include "tests/workloads/stgym/space/small_configuration.hpp"

#include "harness/core/same_answer.hpp"

#include "workloads/stgym/train/graph_learner.hpp"
#include "workloads/workloads_steps.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace {

using namespace workloads::stgym;
using namespace workloads::stgym::examples;

/// A step's row that times steps.
harness::Point step_point(const harness::Step& step) {
  for (const auto& point : harness::points(step.axes))
    for (const auto& at : point.at)
      if (at.axis == "unit" && at.text == "step") return point;
  return harness::points(step.axes).front();
}

/// Rungs that the host skips, whatever the configuration, or may skip: not every machine can compile or has
/// Lightning.
bool may_be_skipped(std::string_view rung) {
  constexpr std::array<std::string_view, 9> rungs{
      "stgym/prefetch",     "stgym/cuda_graph",           "stgym/lightning_hooks",
      "stgym/fused_linear", "stgym/fused_classifier",     "stgym/compiled",
      "stgym/amx_products", "stgym/tensor_core_products", "stgym/bf16_rows"};
  return std::ranges::find(rungs, rung) != rungs.end();
}

TEST_CASE("every rung gives the answer that it promises for any configuration, or says why it cannot",
          "[stgym]") {
  auto deep = of_graphs(small(), 2);
  deep.model.mp_layers.push_back(
      {space::LayerType::sageconv, 8, {.act = space::Activation::swish}, space::Pooling{}});
  deep.model.mp_layers[0].layer_type = space::LayerType::ginconv;
  deep.train.optim.optimizer = space::OptimizerType::sgd;
  auto bare = small();
  bare.model.mp_layers[0].pooling.reset();
  const auto configuration = GENERATE_COPY(clustering(small()), deep, bare);
  harness::Setup setup;
  setup.seed = 7;
  setup.options = options_of(configuration);
  for (const auto* step : workloads::steps()) {
    if (!step->id.starts_with("stgym/")) continue;
    const auto point = step_point(*step);
    INFO(space::summary(configuration) << ": " << harness::row_name(*step, point, setup.device));
    const auto why = space::why_not(configuration, step->id);
    try {
      const auto trial = step->prepare(setup, point);
      CHECK(why.empty());
      CHECK_NOTHROW(check_same_answer(trial, tolerance_on(*step, setup.device), [] {}));
    } catch (const harness::Skip& skip) {
      if (!may_be_skipped(step->id)) CHECK(skip.what() == why);
    }
  }
}

}  // namespace
