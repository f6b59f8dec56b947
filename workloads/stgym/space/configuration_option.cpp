#include "workloads/stgym/space/configuration_option.hpp"

#include "harness/support/text.hpp"

#include "workloads/stgym/space/data_option.hpp"
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

/// Steps beside the ladder that are of whatever is trained. Others are of the published model alone.
constexpr std::string_view of_any_model[] = {"lightning_hooks", "end_to_end", "best_form", "cpu_vs_cuda",
                                             "leave_one_out"};

std::string answer_of(const Configuration& configuration, std::string_view name) {
  const auto* const rung = std::ranges::find(ladder, name, &Rung::name);
  if (rung != std::end(ladder)) return rung->needs(configuration);
  if (std::ranges::find(of_any_model, name) != std::end(of_any_model)) return "";
  return needs_published_model(configuration);
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
  return rung == std::end(ladder) ? "" : rung->needs(configuration);
}

std::string why_not_on_cuda(const Configuration& configuration, bool Switches::* change) {
  return change == &Switches::fused_pooling ? needs_narrow_pooling(configuration) : "";
}

Switches applicable(const Configuration& configuration, Switches switches) {
  for (const auto& rung : ladder)
    if (switches.*rung.change && !rung.needs(configuration).empty()) switches.*rung.change = false;
  return switches;
}

std::string why_not(const harness::Options& options, std::string_view step) {
  const auto configuration = configuration_in(options);
  return configuration ? why_not(*configuration, step) : "";
}

}  // namespace workloads::stgym::space
