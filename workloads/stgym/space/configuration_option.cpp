#include "workloads/stgym/space/configuration_option.hpp"

#include "harness/support/text.hpp"

#include "workloads/stgym/space/data_option.hpp"
#include "workloads/stgym/space/pool_fused_limits.hpp"
#include "workloads/stgym/space/read_configuration.hpp"
#include "workloads/stgym/space/shipped.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace workloads::stgym::space {
namespace {

using harness::BadInput;
using harness::Options;

/// A configuration, and what messages call it.
struct Named {
  Configuration configuration;
  std::string name;
};

const Shipped* shipped(std::string_view name) {
  const auto all = shipped_configurations();
  const auto found = std::ranges::find(all, name, &Shipped::name);
  return found == all.end() ? nullptr : &*found;
}

/// A file wins over a shipped configuration of the same name.
Named named_configuration(const std::string& value) {
  if (value.starts_with('{')) return {parse_configuration(value, "--config"), "--config"};
  std::error_code no_error;
  const auto* const ours = shipped(value);
  if (ours != nullptr && !std::filesystem::exists(value, no_error))
    return {parse_configuration(ours->text, value), value};
  try {
    return {read_configuration(value), value};
  } catch (const BadInput& error) {
    std::vector<std::string> names;
    for (const auto& one : shipped_configurations()) names.emplace_back(one.name);
    if (std::filesystem::exists(value, no_error)) throw;
    throw BadInput(
        fmt::format("{}; the shipped ones of STGym are {}", error.what(), harness::join_or(names)));
  }
}

const KnownData& data_named(const Named& named) {
  const auto& name = named.configuration.task.dataset_name;
  const auto all = known_data();
  const auto found = std::ranges::find(all, name, &KnownData::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  for (const auto& one : all) names.emplace_back(one.name);
  throw BadInput(fmt::format("{}: task.dataset_name: '{:.40}' is unknown; expected {}", named.name, name,
                             harness::join_or(names)));
}

/// Breast-cancer may not be shipped: without its file, synthetic data stand in for it.
const KnownData& data_of(const Named& named, const Options& options) {
  const auto& data = data_named(named);
  const auto given = data_option(options);
  const bool has_stand_in = data.name == "breast-cancer" || data.name == "synthetic";
  if (given.file.empty()) {
    if (has_stand_in) return *std::ranges::find(known_data(), "synthetic", &KnownData::name);
    throw BadInput(fmt::format("{}: task.dataset_name: {} needs its file; add --data {}=FILE", named.name,
                               data.name, data.name));
  }
  if (given.name != data.name)
    throw BadInput(fmt::format("{}: task.dataset_name: {} does not match --data", named.name, data.name));
  return data;
}

/// Can the task be held against the data's labels?
void require_labels(const Named& named, const KnownData& data) {
  const auto& task = named.configuration.task;
  const bool graphs = task.type == TaskType::graph_classification;
  if (graphs ? !data.labels_graphs : !data.labels_nodes)
    throw BadInput(fmt::format("{}: task.type: {} labels {}, not {}", named.name, data.name,
                               graphs ? "nodes" : "graphs", graphs ? "graphs" : "nodes"));
  const bool made = graphs && data.labels_nodes;  // from those of the nodes, as many as are asked for
  if (task.type != TaskType::node_clustering && !made && task.num_classes < data.classes)
    throw BadInput(fmt::format("{}: task.num_classes: {} are too few; {} has {} classes", named.name,
                               task.num_classes, data.name, data.classes));
}

// Which rungs have no slow form for a configuration, and why.

using Answer = std::string (*)(const Configuration&);

bool any_layer(const Configuration& configuration, auto holds) {
  return std::ranges::any_of(configuration.model.mp_layers, holds);
}

std::string needs_pooling(const Configuration& configuration) {
  if (any_layer(configuration, [](const auto& layer) { return layer.pooling.has_value(); })) return "";
  return "this rung changes the pooling, but no layer of the configuration has one";
}

/// The kernel takes the data set's own graphs: the weights of pooled ones have gradients.
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

/// Of what may overwrite its input: the ReLU inside GIN, the SELU behind a pooling, ReLU and swish.
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

std::string too_wide(const Configuration& configuration) {
  const auto& layers = configuration.model.mp_layers;
  const auto first =
      std::ranges::find_if(layers, [](const auto& layer) { return layer.pooling.has_value(); });
  if (first == layers.end() || first->dim_inner <= most_device_features) return "";
  return fmt::format("on a device this rung's kernel holds up to {} features, but the configuration has {}",
                     most_device_features, first->dim_inner);
}

/// Padding is proven to change neither loss nor gradient for that model alone. A batch norm, for one, would
/// count padded rows.
std::string needs_published_shape(const Configuration& configuration) {
  if (configuration.train.lr_schedule != ScheduleType::constant)
    return "a captured step keeps its learning rate, but the configuration changes it";
  if (!has_published_shape(configuration))
    return "a captured step needs padded batches, which only leave the published model's losses unchanged; "
           "the configuration has another model";
  // Only fused_pooling's kernel can be captured: the slower forms read the sizes of the graphs on the host.
  if (auto reason = needs_mincut_first(configuration); !reason.empty()) return reason;
  return too_wide(configuration);
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

/// The kernels that pool rows in place hold what fused_pooling's hold.
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

/// What changes how batches are made, evaluated or stepped holds for whatever is trained.
std::string any_model(const Configuration& /*configuration*/) { return ""; }

struct Rule {
  std::string_view name;
  Answer answer;
};

constexpr Rule rules[] = {
    {"delayed_cpu", any_model},
    {"device_indices", needs_pooling},
    {"single_tail", needs_pooling},
    {"no_to_dense", needs_pooling},
    {"no_anomaly", any_model},
    {"no_item", needs_pooling},
    {"matmul_medium", any_model},
    {"lightning_hooks", any_model},
    {"workers_5", any_model},
    {"inplace", needs_activation},
    {"graph_once", any_model},
    {"explicit_sizes", needs_pooling},
    {"no_host_checks", needs_pooling},
    {"segment_pooling", needs_pooling},
    {"project_first", needs_sum_before_product},
    {"fused_optimizer", any_model},
    {"onednn_products", any_model},
    {"probed_products", any_model},
    {"no_unread_graph", needs_pooling_last},
    {"fused_pooling", needs_mincut_first},
    {"fused_linear", needs_published_layers},
    {"fused_classifier", needs_classified_nodes},
    {"rows_in_place", needs_rows},
    {"tensor_core_products", needs_rows},
    {"bf16_rows", needs_rows},
    {"prefetch", any_model},
    {"bf16", any_model},
    {"amx_products", needs_rows},
    {"cuda_graph", needs_published_shape},
    {"compiled", needs_compiled_model},
    {"end_to_end", any_model},
    {"best_form", any_model},
    {"cpu_vs_cuda", any_model},
    {"leave_one_out", any_model},
};

std::string answer_of(const Configuration& configuration, std::string_view name) {
  const auto* const rule = std::ranges::find(rules, name, &Rule::name);
  if (rule != std::end(rules)) return rule->answer(configuration);
  if (has_published_shape(configuration)) return "";
  return "this rung supports only the published model, but the configuration has another";
}

}  // namespace

std::optional<Configuration> configuration_in(const Options& options) {
  const auto given = options.find(config_option);
  if (given == options.end()) return {};
  auto named = named_configuration(given->second);
  require_labels(named, data_of(named, options));
  return std::move(named.configuration);
}

void resolve_config(Options& options) {
  if (const auto configuration = configuration_in(options))
    options.insert_or_assign(std::string(config_option), configuration_text(*configuration));
}

Configuration benchmark_configuration() {
  return parse_configuration(shipped("benchmark")->text, "the shipped benchmark");
}

std::string why_not(const Configuration& configuration, std::string_view step) {
  constexpr std::string_view folder = "stgym/";
  return step.starts_with(folder) ? answer_of(configuration, step.substr(folder.size())) : "";
}

std::string why_not(const Configuration& configuration, bool Switches::* change) {
  const auto* const rung = std::ranges::find(ladder, change, &Rung::change);
  return rung == std::end(ladder) ? "" : answer_of(configuration, rung->name);
}

std::string why_not_on_cuda(const Configuration& configuration, bool Switches::* change) {
  return change == &Switches::fused_pooling ? too_wide(configuration) : "";
}

Switches applicable(const Configuration& configuration, Switches switches) {
  for (const auto& rung : ladder)
    if (switches.*rung.change && !answer_of(configuration, rung.name).empty()) switches.*rung.change = false;
  return switches;
}

std::string why_not(const harness::Options& options, std::string_view step) {
  const auto configuration = configuration_in(options);
  return configuration ? why_not(*configuration, step) : "";
}

}  // namespace workloads::stgym::space
