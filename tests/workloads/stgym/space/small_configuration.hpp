// A configuration that trains in a moment, in each kind of task.
#pragma once

#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/read_configuration.hpp"

#include <cstdint>

namespace workloads::stgym::examples {

using harness::Options;
using space::Configuration;

/// A GCN layer with DMoN for nodes of synthetic data, about 8 a graph.
inline Configuration small() {
  Configuration c;
  c.task = {"synthetic", space::TaskType::node_classification, 39};
  c.data_loader.knn_k = 3;
  c.data_loader.batch_size = 40;
  c.model.mp_layers = {{space::LayerType::gcnconv, 8, {}, space::Pooling{space::PoolingType::dmon, 3}}};
  c.model.post_mp_layer = space::PostMpLayer{{8}, {.use_batchnorm = false, .has_bias = true}};
  c.train.max_epoch = 3;
  return c;
}

inline Configuration of_graphs(Configuration c, std::int64_t classes) {
  c.task = {"synthetic", space::TaskType::graph_classification, classes};
  return c;
}

inline Configuration clustering(Configuration c) {
  c.task = {"synthetic", space::TaskType::node_clustering, 0};
  c.model.post_mp_layer.reset();
  return c;
}

inline Options options_of(const Configuration& c) {
  return {{"config", space::configuration_text(c)}, {"scale", "0.002"}};
}

}  // namespace workloads::stgym::examples
