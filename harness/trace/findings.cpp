// Findings about the run of the steps: a slow start, steps that differ.
#include "harness/trace/findings.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace harness::trace {
namespace {

using Names = std::string_view;

constexpr Names data_loading[] = {"dataload/workers_slow_source",  "dataload/workers_ready_source",
                                  "dataload/prefetch_factor",      "dataload/persistent_workers",
                                  "dataload/precompute_transform", "overlap/prefetch_batch"};
constexpr Names pinning[] = {"transfer/pinned_h2d", "transfer/pin_then_copy", "dataload/pin_thread",
                             "sync/pageable_implies", "overlap/pinned_stream_matrix"};
constexpr Names hiding[] = {"overlap/chunked_streams", "overlap/prefetch_batch", "transfer/nonblocking_large",
                            "transfer/shrink_payload"};
constexpr Names small_copies_steps[] = {"transfer/batch_small", "transfer/nonblocking_many_small",
                                        "transfer/scalar_tensor", "transfer/create_on_device"};
constexpr Names copy_ops_steps[] = {"transfer/to_noop", "transfer/create_on_device",
                                    "transfer/dtype_convert_side", "transfer/ping_pong",
                                    "stgym/device_indices"};
constexpr Names reading_back[] = {"transfer/pinned_d2h", "transfer/ping_pong", "stgym/delayed_cpu"};
constexpr Names item_syncs[] = {"sync/item_every_step", "sync/log_every_n", "sync/print_tensor",
                                "stgym/no_item"};
constexpr Names dynamic[] = {"sync/dynamic_shape_ops", "sync/control_flow"};
constexpr Names syncing[] = {"sync/per_kernel", "sync/granularity", "sync/cpu_in_loop",
                             "sync/item_every_step"};
constexpr Names launching[] = {"launch/graph_short_kernels", "launch/cost", "launch/framework_overhead",
                               "launch/run_ahead", "roofline/batch_doubling"};
constexpr Names tiny[] = {"launch/fuse_tiny_ops", "launch/fuse_pointwise_chain",
                          "launch/graph_short_kernels"};
constexpr Names per_tensor[] = {"optimizer/foreach", "optimizer/fused", "optimizer/graph_step"};
constexpr Names zeroing[] = {"optimizer/zero_grad_none"};
constexpr Names allocating[] = {"memory/alloc_caching", "memory/alloc_empty_cache_loop",
                                "memory/alloc_host_cache", "transfer/pinned_alloc_cost",
                                "memory/alloc_stream_ordered"};
constexpr Names tensor_cores[] = {"precision/tf32_matmul", "precision/tf32_conv", "stgym/matmul_medium",
                                  "precision/amp_fp16", "precision/amp_bf16"};
constexpr Names fusing[] = {"launch/fuse_pointwise_chain", "launch/fuse_activation_cost",
                            "launch/fuse_cos_cos", "precision/amp_membound"};
constexpr Names layout[] = {"format/channels_last_amp", "format/channels_last_fp32"};
constexpr Names bigger[] = {"roofline/batch_doubling", "dataload/bigger_batch"};

constexpr Names transforming[] = {"dataload/precompute_transform", "dataload/vectorize",
                                  "dataload/pre_decode", "dataload/workers_slow_source"};
constexpr Names calling[] = {"launch/framework_overhead", "launch/fuse_tiny_ops",
                             "launch/fuse_pointwise_chain", "dataload/vectorize"};
constexpr Names batching[] = {"dataload/bigger_batch", "roofline/batch_doubling"};
constexpr Names whole_optimizer[] = {"optimizer/fused", "optimizer/foreach", "autograd/accumulation"};
constexpr Names moving[] = {"cpu/malloc", "format/channels_last_cpu", "cpu/onednn_fusion",
                            "memory/alloc_out_variant"};
constexpr Names half[] = {"precision/amp_bf16"};
constexpr Names printing[] = {"sync/print_tensor", "sync/log_every_n"};
constexpr Names without_graph[] = {"autograd/nograd_eval", "autograd/inference_mode"};
constexpr Names debugging[] = {"autograd/anomaly", "autograd/debug_apis"};
constexpr Names making[] = {"transfer/create_on_device", "transfer/scalar_tensor"};

constexpr auto kinds = std::to_array<FindingKind>({
    {"data_loader_wait", "the device idles while the host loads data", data_loading, Whose::either},
    {"pageable_copies_in", "exposed copies from pageable memory", pinning},
    {"exposed_copies_in", "exposed copies from pinned memory", hiding},
    {"small_copies", "many copies between host and device below 64 KiB", small_copies_steps},
    {"copy_ops", "a large share of aten::copy_ among the operators", copy_ops_steps},
    {"exposed_copies_out", "exposed copies to the host", reading_back},
    {"item_sync", "idle after the host read a value back (.item(), float(), print)", item_syncs},
    {"dynamic_shape_sync", "idle after an operator whose output's size depends on data", dynamic},
    {"sync_calls", "idle after other synchronizing calls", syncing},
    {"launch_gaps", "the device idles until the host launches the next piece, or between short pieces",
     launching},
    {"optimizer_per_tensor", "an optimizer that launches kernels for each parameter", per_tensor},
    {"zero_grad_fills", "gradients set to zero instead of to none", zeroing, Whose::either},
    {"device_allocations", "time in cudaMalloc, cudaFree and pinned allocation", allocating},
    {"fp32_products", "products in FP32 on a device with tensor cores", tensor_cores},
    {"pointwise_kernels", "device time in pointwise kernels that could be fused", fusing},
    {"layout_conversions", "kernels that only turn NCHW into NHWC or back", layout},
    {"exposed_communication", "communication that no computation hides", {}},
    {"tiny_kernels", "hundreds of kernels per step that run below 10 us", tiny},
    {"low_utilisation", "a device that is busy for less than 70 % of the time", {}},
    {"low_sm_share", "kernels that leave most multiprocessors without work", bigger},
    {"warm_up", "a first step that is longer than the others", {}, Whose::either},
    {"unsteady_steps", "steps whose durations differ", {}, Whose::either},
    {"rank_imbalance", "ranks that wait for the slowest one", {}, Whose::either},
    {"loader_transform", "samples that the training thread transforms itself", transforming, Whose::thread},
    {"small_batch", "products that are too small for their calls", batching, Whose::thread},
    {"small_operators", "operators that cost more to call than to run", calling, Whose::thread, true},
    {"outside_pytorch", "long times without any operator", {}, Whose::thread, true},
    {"checkpoint_in_step", "long times without any operator after state_dict()", {}, Whose::thread},
    {"optimizer_share", "an optimizer that takes a quarter of the time", whole_optimizer, Whose::thread},
    {"memory_operators", "operators that move more than they compute", moving, Whose::thread},
    {"fp32_on_cpu", "products that may be faster in BF16", half, Whose::thread},
    {"item_reads", "values read back (.item(), float()): free here, not on a GPU", item_syncs, Whose::thread},
    {"tensor_printing", "tensors printed within the steps", printing, Whose::thread},
    {"unused_graph", "an autograd graph that no backward pass uses", without_graph, Whose::thread},
    {"anomaly_checks", "anomaly detection that was left on", debugging, Whose::thread},
    {"tensor_from_list", "tensors made from Python lists", making, Whose::thread},
});

/// A first step longer than the median by this factor is a warm-up; the advice is to leave out 10 to 50
/// steps.
constexpr double warm = 1.2;
/// Steps that differ by more than this from end to end hide an effect of usual size.
constexpr double spread_limit = 0.10;

std::vector<double> durations(const std::vector<StepTime>& steps) {
  std::vector<double> lengths;
  for (const auto& step : steps) lengths.push_back(step.us);
  std::ranges::sort(lengths);
  return lengths;
}

double median_of(const std::vector<double>& sorted) {
  return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
}

std::optional<Finding> warm_up(const Evidence& evidence) {
  const auto& steps = evidence.host.steps;
  if (steps.size() < 3) return std::nullopt;
  const auto lengths = durations(steps);
  const double median = median_of(lengths);
  if (steps.front().us < warm * median) return std::nullopt;
  return remark("warm_up", Severity::info,
                fmt::format("{} took {}, the median step {}; leave out the first steps (they hold the "
                            "profiler's start, autotuning and allocation)",
                            steps.front().name, us_text(steps.front().us), us_text(median)));
}

std::optional<Finding> unsteady_steps(const Evidence& evidence) {
  const auto& steps = evidence.host.steps;
  if (steps.size() < 4) return std::nullopt;
  const auto lengths = durations({steps.begin() + 1, steps.end() - 1});
  const double median = median_of(lengths);
  const double spread = lengths.back() - lengths.front();
  if (spread < spread_limit * median) return std::nullopt;
  return remark("unsteady_steps", Severity::info,
                fmt::format("the steps between the first and the last take {} to {}; compare medians of many "
                            "steps, not two single steps",
                            us_text(lengths.front()), us_text(lengths.back())));
}

}  // namespace

std::string_view to_string(Severity severity) {
  constexpr std::array<std::string_view, 4> names{"info", "low", "medium", "high"};
  return names[static_cast<std::size_t>(severity)];
}

std::span<const FindingKind> finding_kinds() { return kinds; }

const FindingKind* finding_kind(std::string_view id) {
  const auto* found = std::ranges::find(kinds, id, &FindingKind::id);
  return found == kinds.end() ? nullptr : found;
}

Finding remark(std::string_view id, Severity severity, std::string message) {
  Finding finding{.id = std::string(id), .severity = severity, .message = std::move(message)};
  if (const auto* kind = finding_kind(id)) finding.steps.assign(kind->steps.begin(), kind->steps.end());
  return finding;
}

std::optional<Finding> saving(const Evidence& evidence, std::string_view id, double us, std::string message) {
  const double share = evidence.window_us() > 0 ? us / evidence.window_us() : 0;
  if (share < worth_reporting) return std::nullopt;
  const auto severity = share >= high_share     ? Severity::high
                        : share >= medium_share ? Severity::medium
                                                : Severity::low;
  auto finding = remark(id, severity, std::move(message));
  finding.saves_us = us;
  return finding;
}

std::vector<Finding> findings_of(const Evidence& evidence, const HasStep& has_step) {
  std::vector<Finding> findings;
  using Rules = Found (*)(const Evidence&);
  const auto rules_of =
      evidence.timeline.of_host
          ? std::vector<Rules>{thread_findings, habit_findings, step_findings}
          : std::vector<Rules>{input_findings, host_findings, device_findings, step_findings};
  for (auto* rules : rules_of)
    for (auto& found : rules(evidence))
      if (found) findings.push_back(std::move(*found));
  for (auto& finding : findings)
    if (has_step) std::erase_if(finding.steps, [&](const std::string& step) { return !has_step(step); });
  std::ranges::stable_sort(findings, std::ranges::greater{}, [](const Finding& finding) {
    return std::tuple(finding.severity, !finding_kind(finding.id)->general, finding.saves_us);
  });
  return findings;
}

Found step_findings(const Evidence& evidence) { return {warm_up(evidence), unsteady_steps(evidence)}; }

}  // namespace harness::trace
