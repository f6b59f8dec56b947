// What STGym itself cannot train: a layer on a pooled graph, whose edges have weights that have gradients.
#include "tests/workloads/stgym/space/numerical_gradient.hpp"
#include "tests/workloads/stgym/space/small_graphs.hpp"

#include "workloads/stgym/space_model/space_model.hpp"
#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;
using space::LayerType;
using space::PoolingType;
using space::TaskType;

space::MpLayer layer(LayerType type, PoolingType pooling, std::int64_t clusters) {
  space::MpLayer layer;
  layer.layer_type = type;
  layer.dim_inner = 4;
  layer.style.act = space::Activation::swish;  // no kinks that a difference could step over
  layer.style.use_batchnorm = type == LayerType::sageconv;
  layer.style.has_bias = true;
  layer.pooling = {pooling, clusters};
  return layer;
}

/// A pooling of one kind, a layer of a type on the pooled graph, a pooling of the other kind.
space::Configuration stack(TaskType task, LayerType upper, PoolingType lower_pooling) {
  const auto other = lower_pooling == PoolingType::mincut ? PoolingType::dmon : PoolingType::mincut;
  space::Configuration all;
  all.task.type = task;
  all.model.mp_layers = {layer(LayerType::gcnconv, lower_pooling, 4), layer(upper, other, 2)};
  if (task == TaskType::node_clustering) return all;
  space::Style style;
  style.act = space::Activation::none;
  style.use_batchnorm = false;
  style.has_bias = true;
  all.model.post_mp_layer = {{3}, style};
  return all;
}

Batch some_graphs(TaskType task, std::vector<std::int64_t> sizes, at::ScalarType type) {
  return tests::rings(sizes, 3, task == TaskType::graph_classification, type);
}

space::Model make(const space::Configuration& configuration, at::ScalarType type) {
  return {configuration, {.features = 3, .classes = 2, .seed = 4, .placement = type}};
}

constexpr TaskType all_tasks[] = {TaskType::node_classification, TaskType::graph_classification,
                                  TaskType::node_clustering};

TEST_CASE("a layer on a pooled graph has the numerical gradients, slow and fast", "[space]") {
  for (const auto task : all_tasks)
    for (const auto lower : {PoolingType::mincut, PoolingType::dmon})
      for (const auto& switches : {Switches(), all_kept()}) {
        INFO(static_cast<int>(task) << ' ' << static_cast<int>(lower) << ' ' << switches.segment_pooling);
        const Modes modes(switches);
        const auto batch = some_graphs(task, {5, 6}, at::kDouble);
        auto model = make(stack(task, LayerType::gcnconv, lower), at::kDouble);
        std::vector<at::Tensor> leaves;
        for (const auto& [name, parameter] : model.parameters()) leaves.push_back(parameter);
        const auto loss = [&] { return model.losses(model.forward(batch, switches), batch).total; };
        CHECK(tests::gradient_error(loss, leaves) < 1e-6);
      }
}

TEST_CASE("the weights of a pooled graph reach the layer on it, and its losses the layer below", "[space]") {
  const auto task = TaskType::graph_classification;
  const auto batch = some_graphs(task, {5, 6}, at::kDouble);
  auto model = make(stack(task, LayerType::gcnconv, PoolingType::mincut), at::kDouble);
  const auto prediction = model.forward(batch, all_kept());
  for (const auto& [name, loss] : prediction.pooling_losses)
    if (name == "spectral_loss") loss.backward();  // of the upper pooling only
  for (const auto& [name, parameter] : model.parameters())
    if (name == "mp_module.Layer_0.pooling_layer.linear.weight")
      CHECK(parameter.grad().abs().max().item<double>() > 1e-9);
}

TEST_CASE("each type of layer trains on a pooled graph, whatever the task, slow and fast alike", "[space]") {
  for (const auto task : all_tasks)
    for (const auto upper : {LayerType::gcnconv, LayerType::ginconv, LayerType::sageconv}) {
      INFO(static_cast<int>(task) << ' ' << static_cast<int>(upper));
      const auto configuration = stack(task, upper, PoolingType::mincut);
      const auto batch = some_graphs(task, {6, 1, 5, 7}, at::kFloat);  // one graph without an edge
      std::vector<std::vector<double>> curves;
      for (const auto& switches : {Switches(), all_kept()}) {
        const Modes modes(switches);
        auto model = make(configuration, at::kFloat);
        workloads::training::Optimizer optimizer(model.parameters(), recipe_of({}), switches.fused_optimizer);
        auto& curve = curves.emplace_back();
        for (int step = 0; step < 12; ++step) {
          optimizer.zero_grad();
          const auto loss = model.losses(model.forward(batch, switches), batch).total;
          curve.push_back(loss.item<double>());
          backward(loss, switches);
          optimizer.step();
        }
      }
      CHECK(curves[0].back() < curves[0].front());
      for (std::size_t i = 0; i < curves[0].size(); ++i)
        CHECK(std::abs(curves[1][i] - curves[0][i]) < 1e-3 * std::abs(curves[0][0]));
    }
}

TEST_CASE("nodes keep their share in clusters of clusters", "[space]") {
  const auto task = TaskType::node_clustering;
  const auto batch = some_graphs(task, {5, 6}, at::kDouble);
  auto model = make(stack(task, LayerType::gcnconv, PoolingType::mincut), at::kDouble);
  const auto scores = model.forward(batch, {}).scores;
  CHECK(scores.sizes() == at::IntArrayRef{11, 2});
  CHECK(at::allclose(scores.sum(1), at::ones({11}, at::kDouble)));
}

TEST_CASE("a configuration whose parts do not fit is refused", "[space]") {
  const auto good = stack(TaskType::node_classification, LayerType::gcnconv, PoolingType::mincut);
  CHECK_NOTHROW(make(good, at::kFloat));
  auto unread = good;
  unread.model.mp_layers.back().pooling.reset();
  CHECK_THROWS_AS(make(unread, at::kFloat), std::invalid_argument);
  auto unpooled = stack(TaskType::node_clustering, LayerType::gcnconv, PoolingType::mincut);
  for (auto& each : unpooled.model.mp_layers) each.pooling.reset();
  CHECK_THROWS_AS(make(unpooled, at::kFloat), std::invalid_argument);
  auto unclassified = good;
  unclassified.model.post_mp_layer.reset();
  CHECK_THROWS_AS(make(unclassified, at::kFloat), std::invalid_argument);
  auto empty = good;
  empty.model.mp_layers.clear();
  CHECK_THROWS_AS(make(empty, at::kFloat), std::invalid_argument);
}

}  // namespace
