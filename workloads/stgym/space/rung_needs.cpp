#include "workloads/stgym/space/rung_needs.hpp"

#include "workloads/stgym/space/pool_fused_limits.hpp"
#include "workloads/stgym/space/shipped.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace workloads::stgym::space {
namespace {

bool any_layer(const Configuration& configuration, auto holds) {
  return std::ranges::any_of(configuration.model.mp_layers, holds);
}

}  // namespace

std::string any_model(const Configuration& /*configuration*/) { return ""; }

std::string needs_published_model(const Configuration& configuration) {
  if (has_published_shape(configuration)) return "";
  return "this rung supports only the published model, but the configuration has another";
}

std::string needs_pooling(const Configuration& configuration) {
  if (any_layer(configuration, [](const auto& layer) { return layer.pooling.has_value(); })) return "";
  return "this rung changes the pooling, but no layer of the configuration has one";
}

std::string needs_mincut_first(const Configuration& configuration) {
  const auto& layers = configuration.model.mp_layers;
  const auto first =
      std::ranges::find_if(layers, [](const auto& layer) { return layer.pooling.has_value(); });
  if (first == layers.end() || first->pooling->type != PoolingType::mincut)
    return "this rung's kernel does MinCut pooling of the data's own graphs, but the configuration has none";
  if (first->pooling->n_clusters > most_clusters)
    return fmt::format("this rung's kernel holds up to {} clusters, but the configuration has {}",
                       most_clusters, first->pooling->n_clusters);
  return "";
}

std::string needs_pooling_last(const Configuration& configuration) {
  if (configuration.model.mp_layers.back().pooling) return "";
  return "the configuration has no pooled graph that nothing reads";
}

std::string needs_activation(const Configuration& configuration) {
  const auto overwrites = [](const Style& style) {
    return style.act == Activation::relu || style.act == Activation::swish;
  };
  const auto& post = configuration.model.post_mp_layer;
  if ((post && overwrites(post->style)) || any_layer(configuration, [&](const auto& layer) {
        return layer.layer_type == LayerType::ginconv || layer.pooling || overwrites(layer.style);
      }))
    return "";
  return "no activation of the configuration can overwrite its input";
}

std::string needs_sum_before_product(const Configuration& configuration) {
  if (any_layer(configuration, [](const auto& layer) { return layer.layer_type != LayerType::gcnconv; }))
    return "";
  return "GCN multiplies before it aggregates by definition, so there is no slow form";
}

std::string needs_narrow_pooling(const Configuration& configuration) {
  const auto& layers = configuration.model.mp_layers;
  const auto first =
      std::ranges::find_if(layers, [](const auto& layer) { return layer.pooling.has_value(); });
  if (first == layers.end() || first->dim_inner <= most_device_features) return "";
  return fmt::format("on a device this rung's kernel holds up to {} features, but the configuration has {}",
                     most_device_features, first->dim_inner);
}

std::string needs_published_shape(const Configuration& configuration) {
  if (configuration.train.lr_schedule != ScheduleType::constant)
    return "a captured step keeps its learning rate, but the configuration changes it";
  if (!has_published_shape(configuration))
    return "a captured step needs padded batches, which only leave the published model's losses unchanged; "
           "the configuration has another model";
  // Only fused_pooling's kernel can be captured: the slower forms read the sizes of the graphs on the host.
  if (auto reason = needs_mincut_first(configuration); !reason.empty()) return reason;
  return needs_narrow_pooling(configuration);
}

std::string needs_published_layers(const Configuration& configuration) {
  if (has_published_shape(configuration)) return "";
  return "this rung's kernels support only the published model's layers, but the configuration has others";
}

std::string needs_classified_nodes(const Configuration& configuration) {
  if (configuration.task.type != TaskType::node_classification)
    return "this rung's kernels classify nodes, but the configuration has another task";
  return needs_published_layers(configuration);
}

std::string needs_rows(const Configuration& configuration) {
  const auto pooling = needs_mincut_first(configuration);
  return pooling.empty() ? needs_classified_nodes(configuration) : pooling;
}

std::string needs_compiled_model(const Configuration& configuration) {
  if (configuration.train.lr_schedule != ScheduleType::constant)
    return "the compiled step keeps its learning rate, but the configuration changes it";
  if (configuration.train.optim.optimizer != OptimizerType::adam)
    return "the compiled step has Adam in it, but the configuration has another optimizer";
  if (!has_published_shape(configuration) || configuration.task.type != TaskType::node_classification)
    return "the compiled step is the published node classifier's, but the configuration has another model";
  return needs_mincut_first(configuration);
}

}  // namespace workloads::stgym::space
