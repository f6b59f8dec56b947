#include "workloads/stgym/space/config_option.hpp"
#include "workloads/stgym/space/published_shape.hpp"
#include "workloads/stgym/space/shipped.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace workloads::stgym::space;

Configuration of_layer(LayerType type, Activation act) {
  auto configuration = benchmark_configuration();
  auto& layer = configuration.model.mp_layers[0];
  layer.layer_type = type;
  layer.style.act = act;
  layer.pooling.reset();
  configuration.model.post_mp_layer->style.act = Activation::prelu;
  return configuration;
}

}  // namespace

TEST_CASE("the published model is the published model at any width, and nothing else is") {
  auto configuration = benchmark_configuration();
  configuration.model.mp_layers[0].dim_inner = 8;
  configuration.model.mp_layers[0].pooling->n_clusters = 3;
  configuration.model.post_mp_layer->dims = {4};
  CHECK(has_published_shape(configuration));
  SECTION("another layer") { configuration.model.mp_layers[0].layer_type = LayerType::sageconv; }
  SECTION("another pooling") { configuration.model.mp_layers[0].pooling->type = PoolingType::dmon; }
  SECTION("dropout") { configuration.model.mp_layers[0].style.dropout = 0.1; }
  SECTION("another activation") { configuration.model.post_mp_layer->style.act = Activation::swish; }
  SECTION("another task") { configuration.task.type = TaskType::node_clustering; }
  SECTION("two layers") { configuration.model.mp_layers.push_back(configuration.model.mp_layers[0]); }
  CHECK_FALSE(has_published_shape(configuration));
}

TEST_CASE("for the published model every rung has a slow form, also those that know no other") {
  for (const auto* step : {"stgym/segment_pooling", "stgym/project_first", "stgym/a_later_one"})
    CHECK(why_not(benchmark_configuration(), step).empty());
}

TEST_CASE("rungs of the pooling layer have nothing to compare without one") {
  const auto configuration = of_layer(LayerType::ginconv, Activation::relu);
  for (const auto* step : {"stgym/device_indices", "stgym/single_tail", "stgym/no_to_dense", "stgym/no_item",
                           "stgym/explicit_sizes", "stgym/no_host_checks", "stgym/segment_pooling"})
    CHECK(why_not(configuration, step) ==
          "no layer of the configuration has a pooling, which is what this rung changes");
  CHECK(why_not(configuration, "stgym/delayed_cpu").empty());
  CHECK(why_not(configuration, "stgym/project_first").empty());
}

TEST_CASE("GCN has no order of product and sum to change") {
  CHECK(why_not(of_layer(LayerType::gcnconv, Activation::relu), "stgym/project_first") ==
        "GCN multiplies before it aggregates by its definition: there is no slow form");
}

TEST_CASE("in-place activations need one that can overwrite its input") {
  CHECK_FALSE(why_not(of_layer(LayerType::gcnconv, Activation::prelu), "stgym/inplace").empty());
  CHECK(why_not(of_layer(LayerType::gcnconv, Activation::swish), "stgym/inplace").empty());
  CHECK(why_not(of_layer(LayerType::ginconv, Activation::prelu), "stgym/inplace").empty());
}

TEST_CASE("a rung that nobody has told about configurations is left out for all but the published model") {
  CHECK_FALSE(why_not(of_layer(LayerType::sageconv, Activation::relu), "stgym/a_later_one").empty());
  CHECK(why_not(of_layer(LayerType::sageconv, Activation::relu), "sync/item_every_step").empty());
}

TEST_CASE("a captured step keeps its learning rate, so a schedule excludes it") {
  auto configuration = benchmark_configuration();
  CHECK(why_not(configuration, "stgym/cuda_graph").empty());
  configuration.train.lr_schedule = ScheduleType::cos;
  CHECK_FALSE(why_not(configuration, "stgym/cuda_graph").empty());
}
