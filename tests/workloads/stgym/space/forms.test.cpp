// The design space through the ladder: slow and fast forms of every combination, and the published one.
#include "tests/workloads/stgym/space/small_graphs.hpp"

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/read_configuration.hpp"
#include "workloads/stgym/space_model/space_model.hpp"
#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;
using space::LayerType;
using space::PoolingType;
using space::TaskType;

constexpr LayerType all_layers[] = {LayerType::gcnconv, LayerType::ginconv, LayerType::sageconv};
constexpr std::optional<PoolingType> all_poolings[] = {std::nullopt, PoolingType::mincut, PoolingType::dmon};
constexpr TaskType all_tasks[] = {TaskType::node_classification, TaskType::graph_classification,
                                  TaskType::node_clustering};

space::Configuration combination(LayerType layer, std::optional<PoolingType> pooling, TaskType task) {
  space::Configuration all;
  all.task.type = task;
  all.model.global_pooling = space::Readout::max;
  space::Style style;
  style.dropout = 0.2;
  all.model.mp_layers = {{layer, 5, style}, {layer, 5, style}};
  if (pooling) all.model.mp_layers.back().pooling = {*pooling, 3};
  style.act = space::Activation::swish;
  style.use_batchnorm = false;
  style.has_bias = true;
  if (task != TaskType::node_clustering) all.model.post_mp_layer = {{4}, style};
  return all;
}

std::vector<space::Configuration> all_combinations() {
  std::vector<space::Configuration> all;
  for (const auto layer : all_layers)
    for (const auto pooling : all_poolings)
      for (const auto task : all_tasks)
        if (pooling || task != TaskType::node_clustering) all.push_back(combination(layer, pooling, task));
  return all;
}

space::Model make(const space::Configuration& configuration) {
  return {configuration, {.features = 3, .classes = 3, .seed = 4}};
}

Batch some_graphs(TaskType task) {
  return tests::rings({6, 4, 7}, 3, task == TaskType::graph_classification, at::kFloat);
}

std::vector<double> curve(space::Model& model, const Batch& batch, const Switches& switches) {
  const Modes modes(switches);
  model.reset();
  workloads::training::Optimizer optimizer(model.parameters(), recipe_of({}), switches.fused_optimizer);
  std::vector<double> losses;
  for (int step = 0; step < 4; ++step) {
    optimizer.zero_grad();
    const auto loss = model.losses(model.forward(batch, switches), batch).total;
    losses.push_back(loss.item<double>());
    backward(loss, switches);
    optimizer.step();
  }
  return losses;
}

TEST_CASE("every combination of layer, pooling and task has one loss curve on all kept rungs", "[space]") {
  for (const auto& configuration : all_combinations()) {
    INFO(space::summary(configuration));
    const auto batch = some_graphs(configuration.task.type);
    auto model = make(configuration);
    const auto naive = curve(model, batch, {});
    for (const auto& rung : ladder) {
      if (!rung.kept) continue;
      const auto fast = curve(model, batch, with(rung.change));
      for (std::size_t i = 0; i < naive.size(); ++i)
        CHECK(std::abs(fast[i] - naive[i]) <= 1e-4 * std::abs(naive[i]) + 1e-5);
    }
  }
}

TEST_CASE("products in BF16 move the first loss of a combination by a few percent at most", "[space]") {
  for (const auto& configuration : all_combinations()) {
    INFO(space::summary(configuration));
    const auto batch = some_graphs(configuration.task.type);
    auto model = make(configuration);
    const auto exact = curve(model, batch, all_kept()).front();
    auto switches = all_kept();
    switches.bf16 = true;
    const auto rounded = curve(model, batch, switches).front();
    CHECK(rounded != exact);
    CHECK(std::abs(rounded - exact) < 0.05 * std::abs(exact));
  }
}

TEST_CASE("two models with one seed train alike, and one model after a reset as before", "[space]") {
  const auto configuration =
      combination(LayerType::gcnconv, PoolingType::mincut, TaskType::node_classification);
  const auto batch = some_graphs(TaskType::node_classification);
  auto model = make(configuration);
  auto twin = make(configuration);
  const auto first = curve(model, batch, {});
  CHECK(curve(twin, batch, {}) == first);
  CHECK(curve(model, batch, {}) == first);
}

TEST_CASE("an evaluation draws nothing, learns nothing and gives the same twice", "[space]") {
  const auto configuration =
      combination(LayerType::gcnconv, PoolingType::mincut, TaskType::node_classification);
  const auto batch = some_graphs(TaskType::node_classification);
  auto model = make(configuration);
  auto twin = make(configuration);
  const auto evaluate = [&] { return model.forward(batch, {}, space::Mode::evaluation).scores; };
  CHECK(evaluate().equal(evaluate()));
  CHECK(model.forward(batch, {}).scores.equal(twin.forward(batch, {}).scores));
}

TEST_CASE("the published configuration is the ladder's model, bit for bit", "[space]") {
  const auto configuration = space::read_configuration("workloads/stgym/configurations/benchmark.json");
  const auto batch = tests::rings({30, 45, 21}, 50, false, at::kFloat);
  ModelShape shape;
  shape.features = 50;
  Model ladder_model(shape, 9, at::kCPU);
  space::Model model(configuration, {.features = 50, .classes = shape.classes, .seed = 9});
  const auto expected = ladder_model.parameters();
  const auto found = model.parameters();
  REQUIRE(found.size() == expected.size());
  for (const auto& switches : {Switches(), with(last_published), all_kept()}) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].first == expected[i].first);
      CHECK(found[i].second.equal(expected[i].second));
      for (const auto* tensor : {&found[i].second, &expected[i].second})
        tensor->mutable_grad() = at::Tensor();
    }
    const auto prediction = ladder_model.forward(batch, switches);
    const auto total = ladder_model.losses(prediction, batch).total;
    total.backward();
    const auto own_prediction = model.forward(batch, switches);
    const auto own_total = model.losses(own_prediction, batch).total;
    own_total.backward();
    CHECK(own_prediction.scores.equal(prediction.logits));
    CHECK(own_total.equal(total));
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i].second.grad().equal(expected[i].second.grad()));
  }
}

}  // namespace
