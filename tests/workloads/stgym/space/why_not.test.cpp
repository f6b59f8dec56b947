#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/shipped.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace workloads::stgym;
using namespace workloads::stgym::space;

constexpr auto unknown = "this rung supports only the published model, but the configuration has another";

Configuration of_layer(LayerType type, Activation act) {
  auto configuration = benchmark_configuration();
  auto& layer = configuration.model.mp_layers[0];
  layer.layer_type = type;
  layer.style.act = act;
  layer.pooling.reset();
  configuration.model.post_mp_layer->style.act = Activation::prelu;
  return configuration;
}

Configuration of_pooling(const Pooling& pooling) {
  auto configuration = of_layer(LayerType::ginconv, Activation::relu);
  configuration.model.mp_layers[0].pooling = pooling;
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
          "this rung changes the pooling, but no layer of the configuration has one");
  CHECK(why_not(configuration, "stgym/delayed_cpu").empty());
  CHECK(why_not(configuration, "stgym/project_first").empty());
}

TEST_CASE("GCN has no order of product and sum to change") {
  CHECK(why_not(of_layer(LayerType::gcnconv, Activation::relu), "stgym/project_first") ==
        "GCN multiplies before it aggregates by definition, so there is no slow form");
}

TEST_CASE("in-place activations need one that can overwrite its input") {
  CHECK_FALSE(why_not(of_layer(LayerType::gcnconv, Activation::prelu), "stgym/inplace").empty());
  CHECK(why_not(of_layer(LayerType::gcnconv, Activation::swish), "stgym/inplace").empty());
  CHECK(why_not(of_layer(LayerType::ginconv, Activation::prelu), "stgym/inplace").empty());
}

TEST_CASE("products, whole steps and loops are the same work in every model") {
  for (const auto type : {LayerType::gcnconv, LayerType::ginconv, LayerType::sageconv})
    for (const auto* step : {"stgym/onednn_products", "stgym/bf16", "stgym/fused_optimizer",
                             "stgym/graph_once", "stgym/prefetch", "stgym/matmul_medium"})
      CHECK(why_not(of_layer(type, Activation::relu), step).empty());
}

TEST_CASE("a pooled graph can be left out where no layer stands on it") {
  constexpr auto reason = "the configuration has no pooled graph that nothing reads";
  CHECK(why_not(of_layer(LayerType::sageconv, Activation::relu), "stgym/no_unread_graph") == reason);
  auto configuration = of_pooling({PoolingType::dmon, 5});
  CHECK(why_not(configuration, "stgym/no_unread_graph").empty());
  auto& layers = configuration.model.mp_layers;
  layers.push_back(layers[0]);
  CHECK(why_not(configuration, "stgym/no_unread_graph").empty());
  layers[1].pooling.reset();
  CHECK(why_not(configuration, "stgym/no_unread_graph") == reason);
}

TEST_CASE("the fused kernel does a MinCut pooling of the data's own graphs, up to 32 clusters") {
  const auto kernel = [](const Configuration& configuration) {
    return why_not(configuration, "stgym/fused_pooling");
  };
  constexpr auto reason =
      "this rung's kernel does MinCut pooling of the data's own graphs, but the configuration has none";
  CHECK(kernel(of_layer(LayerType::ginconv, Activation::relu)) == reason);
  auto configuration = of_pooling({PoolingType::dmon, 5});
  CHECK(kernel(configuration) == reason);
  auto& layers = configuration.model.mp_layers;
  layers.push_back(layers[0]);
  layers[1].pooling = Pooling{PoolingType::mincut, 5};
  CHECK(kernel(configuration) == reason);
  layers[0].pooling = Pooling{PoolingType::mincut, 32};
  CHECK(kernel(configuration).empty());
  layers[0].pooling->n_clusters = 33;
  CHECK(kernel(configuration) == "this rung's kernel holds up to 32 clusters, but the configuration has 33");
}

TEST_CASE("what is not applicable is off, and the rest is as it was") {
  const auto found = applicable(of_layer(LayerType::gcnconv, Activation::prelu), all_kept());
  CHECK(found.onednn_products);
  CHECK(found.graph_once);
  CHECK_FALSE(found.project_first);
  CHECK_FALSE(found.segment_pooling);
  CHECK_FALSE(found.no_unread_graph);
}

TEST_CASE("every rung of the ladder has been told about configurations") {
  for (const auto& rung : ladder) {
    CAPTURE(rung.name);
    CHECK(why_not(of_pooling({PoolingType::dmon, 5}), rung.change) != unknown);
  }
}

TEST_CASE("a rung that nobody has told about configurations is left out for all but the published model") {
  CHECK(why_not(of_layer(LayerType::sageconv, Activation::relu), "stgym/a_later_one") == unknown);
  CHECK(why_not(of_layer(LayerType::sageconv, Activation::relu), "sync/item_every_step").empty());
}

TEST_CASE("padding a batch for a captured step is proven harmless for the published model alone") {
  CHECK(why_not(benchmark_configuration(), "stgym/cuda_graph").empty());
  CHECK(why_not(of_pooling({PoolingType::dmon, 5}), "stgym/cuda_graph")
            .starts_with("a captured step needs padded batches"));
}

TEST_CASE("the compiled step is the published classifier's with Adam at one rate, and says what is not") {
  auto configuration = benchmark_configuration();
  CHECK(why_not(configuration, "stgym/compiled").empty());
  configuration.train.lr_schedule = ScheduleType::cos;
  CHECK(why_not(configuration, "stgym/compiled") ==
        "the compiled step keeps its learning rate, but the configuration changes it");
  configuration = benchmark_configuration();
  configuration.train.optim.optimizer = OptimizerType::sgd;
  CHECK(why_not(configuration, "stgym/compiled") ==
        "the compiled step has Adam in it, but the configuration has another optimizer");
  CHECK(why_not(of_layer(LayerType::sageconv, Activation::relu), "stgym/compiled") ==
        "the compiled step is the published node classifier's, but the configuration has another model");
}

TEST_CASE("a captured step keeps its learning rate, so a schedule excludes it") {
  auto configuration = benchmark_configuration();
  CHECK(why_not(configuration, "stgym/cuda_graph").empty());
  configuration.train.lr_schedule = ScheduleType::cos;
  CHECK_FALSE(why_not(configuration, "stgym/cuda_graph").empty());
}

TEST_CASE("a captured step needs the fused kernel, which holds 32 clusters and 256 features on a device") {
  auto configuration = benchmark_configuration();
  auto& layer = configuration.model.mp_layers[0];
  layer.dim_inner = 256;
  layer.pooling->n_clusters = 32;
  CHECK(why_not(configuration, "stgym/cuda_graph").empty());
  layer.pooling->n_clusters = 33;
  CHECK(why_not(configuration, "stgym/cuda_graph") ==
        "this rung's kernel holds up to 32 clusters, but the configuration has 33");
  layer.pooling->n_clusters = 32;
  layer.dim_inner = 257;
  CHECK(why_not(configuration, "stgym/cuda_graph") ==
        "on a device this rung's kernel holds up to 256 features, but the configuration has 257");
}

TEST_CASE("the fused kernel's limit of 256 features is a device's only") {
  auto configuration = benchmark_configuration();
  configuration.model.mp_layers[0].dim_inner = 257;
  CHECK(why_not(configuration, &Switches::fused_pooling).empty());
  CHECK_FALSE(why_not_on_cuda(configuration, &Switches::fused_pooling).empty());
  CHECK(why_not_on_cuda(configuration, &Switches::segment_pooling).empty());
  configuration.model.mp_layers[0].dim_inner = 256;
  CHECK(why_not_on_cuda(configuration, &Switches::fused_pooling).empty());
}
