#include "workloads/stgym/space/shipped.hpp"

namespace workloads::stgym::space {
namespace {

/// A bias and this activation, and nothing else.
Style plain(Activation act) { return {.act = act, .use_batchnorm = false, .has_bias = true}; }

/// Fields that nothing reads where there is no batch norm do not count.
bool is_plain(Style style, Activation act) {
  const auto expected = plain(act);
  style.bn_eps = expected.bn_eps;
  style.bn_momentum = expected.bn_momentum;
  return style == expected;
}

bool has_published_head(const Configuration& configuration) {
  const auto& model = configuration.model;
  if (!model.post_mp_layer) return false;
  const auto& style = model.post_mp_layer->style;
  if (configuration.task.type == TaskType::node_classification) return is_plain(style, Activation::relu);
  return configuration.task.type == TaskType::graph_classification && configuration.task.num_classes == 2 &&
         model.global_pooling == Readout::mean && is_plain(style, Activation::prelu);
}

}  // namespace

bool has_published_shape(const Configuration& configuration) {
  const auto& layers = configuration.model.mp_layers;
  return layers.size() == 1 && layers[0].layer_type == LayerType::ginconv &&
         is_plain(layers[0].style, Activation::relu) && layers[0].pooling &&
         layers[0].pooling->type == PoolingType::mincut && has_published_head(configuration);
}

}  // namespace workloads::stgym::space
