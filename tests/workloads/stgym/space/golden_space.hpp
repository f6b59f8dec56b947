// Reads golden/stgym_space.json, or any other file of that form (tests/golden/README.md).
#pragma once

#include "tests/workloads/stgym/golden_file.hpp"

#include "workloads/stgym/space_model/space_model.hpp"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

namespace space = workloads::stgym::space;
using nlohmann::ordered_json;

inline space::Activation activation(const ordered_json& json) {
  if (json.is_null()) return space::Activation::none;
  const auto name = json.get<std::string>();
  if (name == "relu") return space::Activation::relu;
  if (name == "prelu") return space::Activation::prelu;
  if (name == "swish") return space::Activation::swish;
  throw std::runtime_error("unknown activation " + name);
}

inline space::Style style(const ordered_json& json, bool has_bias) {
  space::Style style;
  style.act = activation(json.at("act"));
  style.use_batchnorm = json.at("use_batchnorm");
  style.l2norm = json.value("l2norm", false);
  style.has_bias = has_bias;
  return style;
}

inline space::LayerType layer_type(const std::string& name) {
  if (name == "gcnconv") return space::LayerType::gcnconv;
  if (name == "sageconv") return space::LayerType::sageconv;
  if (name == "ginconv") return space::LayerType::ginconv;
  throw std::runtime_error("unknown layer " + name);
}

inline space::PoolingType pooling_type(const std::string& name) {
  if (name == "mincut") return space::PoolingType::mincut;
  if (name == "dmon") return space::PoolingType::dmon;
  throw std::runtime_error("unknown pooling " + name);
}

inline space::Readout readout(const std::string& name) {
  if (name == "mean") return space::Readout::mean;
  if (name == "max") return space::Readout::max;
  if (name == "add") return space::Readout::add;
  throw std::runtime_error("unknown readout " + name);
}

inline space::TaskType task(const std::string& name) {
  if (name == "node") return space::TaskType::node_classification;
  if (name == "graph2" || name == "graph3") return space::TaskType::graph_classification;
  if (name == "cluster") return space::TaskType::node_clustering;
  throw std::runtime_error("unknown task " + name);
}

inline space::MpLayer mp_layer(const ordered_json& json, bool has_bias) {
  space::MpLayer layer{layer_type(json.at("layer_type")), json.at("dim_inner"), style(json, has_bias)};
  if (json.contains("pooling") && !json.at("pooling").is_null()) {
    const auto& pooling = json.at("pooling");
    layer.pooling = {pooling_type(pooling.at("type")), pooling.at("n_clusters")};
  }
  return layer;
}

/// The file names its parameters: where none is a bias, the map has none.
inline space::Configuration configuration(const ordered_json& c) {
  const auto& parameters = c.at("parameters");
  space::Configuration all;
  all.task.type = task(c.at("task"));
  for (const auto& layer : c.at("layers")) {
    const auto map = "mp_module.Layer_" + std::to_string(all.model.mp_layers.size()) + ".layer.model.";
    const bool has_bias = parameters.contains(map + "bias") || parameters.contains(map + "lin_l.bias");
    all.model.mp_layers.push_back(mp_layer(layer, has_bias));
  }
  if (all.task.type != space::TaskType::node_clustering)
    all.model.post_mp_layer = {
        c.at("post_hidden").get<std::vector<std::int64_t>>(),
        style(c.at("post"), parameters.contains("post_mp.model.0.Layer_0.layer.model.bias"))};
  all.model.global_pooling = readout(c.at("readout"));
  all.train.optim.optimizer =
      c.at("optimizer") == "sgd" ? space::OptimizerType::sgd : space::OptimizerType::adam;
  return all;
}

/// All graphs of a case as one batch, with the labels of its task.
inline workloads::stgym::Batch batch(const ordered_json& c) {
  const auto label = c.at("task") == "graph2" ? "graph_y2" : c.at("task") == "graph3" ? "graph_y3" : "y";
  workloads::stgym::Batch batch;
  batch.x = tensor(c.at("x"), at::kFloat);
  batch.y = tensor(c.at(label), at::kLong);
  batch.edges = tensor(c.at("edge_index"), at::kLong);
  batch.adjacency = workloads::stgym::adjacency_of(batch.edges, batch.x.size(0));
  batch.sizes = c.at("sizes").get<std::vector<std::int64_t>>();
  batch.graph_of = at::repeat_interleave(at::tensor(batch.sizes, at::kLong));
  return batch;
}

inline std::int64_t classes(const ordered_json& c) {
  const auto& shape = c.at("first_prediction").at("shape");
  return shape.size() == 1 ? 2 : shape[1].get<std::int64_t>();
}

inline space::Model model(const ordered_json& c) {
  space::ModelSetup setup;
  setup.features = c.at("features");
  setup.classes = classes(c);
  space::Model model(configuration(c), setup);
  model.assign(named(c.at("parameters")));
  return model;
}

}  // namespace golden
