#include "harness/trace/which_steps.hpp"

#include "harness/trace/host_use.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"

#include <iterator>
#include <ranges>

namespace harness::trace {
namespace {

/// Steps about rows of features: nobody else's.
bool is_of_rows(std::string_view step) {
  return is_any(step, {"gnn/aggregate", "gnn/index_backward", "gnn/feature_gather", "sage/gather_in_workers",
                       "sage/half_features"});
}

/// "index_select" of "aten::index_select"; "" of others than ATen's.
std::string_view aten_name(std::string_view op) {
  constexpr std::string_view aten = "aten::";
  return op.starts_with(aten) ? op.substr(aten.size()) : "";
}

/// Steps that suit one family of operators, as their Python lines do.
constexpr std::array<std::string_view, 4> of_families{"format/channels_last_cpu", "cpu/onednn_fusion",
                                                      "compile/pointwise_chain", "memory/alloc_out_variant"};

/// Of those the ones for the family that takes most of the time. An optimizer's operators are no family: its
/// fused form treats them.
std::span<const std::string_view> steps_for(const std::vector<Blame>& moving,
                                            const std::vector<Blame>& of_model) {
  static constexpr std::array<std::string_view, 2> images{"format/channels_last_cpu", "cpu/onednn_fusion"};
  static constexpr std::array<std::string_view, 2> chains{"compile/pointwise_chain", "cpu/onednn_fusion"};
  static constexpr std::array<std::string_view, 1> joins{"memory/alloc_out_variant"};
  double imaged = 0;
  double chained = 0;
  double joined = 0;
  for (const auto& row : of_model) {
    if (is_elementwise(row.name))
      chained += row.us;
    else if (has_any(row.name, {"pool", "batch_norm", "instance_norm", "group_norm", "upsample"}))
      imaged += row.us;
    else if (has_any(row.name, {"aten::cat", "aten::stack", "aten::cumsum"}))
      joined += row.us;
  }
  const double other = total_us(moving) - imaged - chained - joined;
  const double most = std::max({imaged, chained, joined, other});
  if (most <= other) return {};
  if (most <= imaged) return images;
  if (most <= chained) return chains;
  return joins;
}

void leave_out_rows(Finding& finding) { std::erase_if(finding.steps, is_of_rows); }

/// True of one that writes numbers that follow from no tensor.
bool makes_numbers(std::string_view op) {
  return has_any(aten_name(op),
                 {"rand", "normal", "uniform", "bernoulli", "arange", "linspace", "zeros", "ones", "full",
                  "fill", "eye", "tril_indices", "triu_indices", "tril", "triu", "exponential"});
}

/// True of an operator that reads rows from all over a tensor: index_select, x[index].
bool gathers_rows(std::string_view op) {
  return is_any(aten_name(op),
                {"index", "index_select", "gather", "take", "take_along_dim", "_index_select"});
}

/// True of one that writes or adds up rows all over a tensor: scatter_add, index_put.
bool scatters_rows(std::string_view op) {
  return has_any(op, {"torch_scatter::", "aten::scatter", "aten::index_add", "aten::index_put",
                      "aten::_index_put_impl", "aten::index_reduce", "aten::segment_reduce"});
}

}  // namespace

std::optional<Finding> led_by(std::optional<Finding> finding, std::initializer_list<std::string_view> first) {
  if (!finding) return finding;
  std::vector<std::string> steps;
  for (const auto step : first)
    if (std::ranges::find(finding->steps, step) != finding->steps.end()) steps.emplace_back(step);
  std::ranges::copy_if(finding->steps, std::back_inserter(steps),
                       [&](const auto& step) { return !is_any(step, first); });
  finding->steps = std::move(steps);
  return finding;
}

bool goes_backwards(const Trace& trace) {
  // Traces of 2021 have the nodes alone: "AddmmBackward".
  return std::ranges::any_of(trace.names, [](std::string_view name) {
    return name.starts_with(autograd_engine) ||
           name.substr(0, name.find_last_not_of("0123456789") + 1).ends_with("Backward");
  });
}

std::optional<Finding> fit_to_host_operator(std::optional<Finding> finding, std::string_view op) {
  if (!finding) return finding;
  if (gathers_rows(op))
    return led_by(std::move(finding),
                  {"sage/gather_in_workers", "gnn/feature_gather", "transfer/dataset_resident"});
  leave_out_rows(*finding);
  if (makes_numbers(op)) return led_by(std::move(finding), {"transfer/create_on_device"});
  return finding;
}

bool moves_rows(const std::vector<Blame>& moving) {
  double rows = 0;
  for (const auto& row : moving)
    if (gathers_rows(row.name) || scatters_rows(row.name)) rows += row.us;
  return rows > 0 && 2 * rows >= total_us(moving);
}

std::optional<Finding> fit_to_loading(std::optional<Finding> finding, const std::vector<Blame>& loading) {
  if (!finding) return finding;
  if (moves_rows(loading)) return led_by(std::move(finding), {"sage/gather_in_workers"});
  leave_out_rows(*finding);
  return finding;
}

std::optional<Finding> fit_to_moving(std::optional<Finding> finding, const std::vector<Blame>& moving,
                                     const std::vector<Blame>& of_model) {
  if (!finding) return finding;
  if (!moves_rows(moving)) {
    leave_out_rows(*finding);
    const auto fitting = steps_for(moving, of_model);
    std::erase_if(finding->steps, [&](const std::string& step) {
      return std::ranges::find(of_families, step) != of_families.end() &&
             std::ranges::find(fitting, step) == fitting.end();
    });
    return finding;
  }
  const auto any = [&](std::string_view part) {
    return std::ranges::any_of(moving,
                               [&](const Blame& row) { return row.name.find(part) != row.name.npos; });
  };
  const bool sums = any("scatter") || any("index_add") || any("reduce");
  const bool puts = any("index_put");
  std::erase_if(finding->steps, [&](const std::string& step) {
    return !is_of_rows(step) || (!sums && step == "gnn/aggregate") || (!puts && step == "gnn/index_backward");
  });
  return finding;
}

}  // namespace harness::trace
