#include "workloads/steps.hpp"

#include "workloads/stgym/process_feed.hpp"
#include "workloads/stgym/training_options.hpp"

namespace workloads {
namespace {

constexpr const harness::Step* all[] = {
    &stgym_delayed_cpu,      &stgym_device_indices,  &stgym_single_tail,   &stgym_no_to_dense,
    &stgym_no_anomaly,       &stgym_no_item,         &stgym_matmul_medium, &stgym_workers_5,
    &stgym_inplace,          &stgym_end_to_end,      &stgym_graph_once,    &stgym_explicit_sizes,
    &stgym_no_host_checks,   &stgym_segment_pooling, &stgym_project_first, &stgym_fused_optimizer,
    &stgym_onednn_products,  &stgym_no_unread_graph, &stgym_fused_pooling, &stgym_fused_linear,
    &stgym_fused_classifier, &stgym_rows_in_place,   &stgym_prefetch,      &stgym_bf16,
    &stgym_cuda_graph,       &stgym_leave_one_out,   &stgym_cpu_vs_cuda,
};

}  // namespace

harness::Steps steps() { return all; }

std::span<const harness::BatchSource> loader_sources() { return {&stgym::graph_batches, 1}; }

std::span<const std::string_view> not_in_suites() {
  static constexpr std::string_view parts[] = {
      "/against:naive",         "stgym/graph_once/",      "stgym/explicit_sizes/",
      "stgym/no_host_checks/",  "stgym/segment_pooling/", "stgym/project_first/",
      "stgym/fused_optimizer/", "stgym/onednn_products/", "stgym/no_unread_graph/",
      "stgym/fused_pooling/",   "stgym/fused_linear/",    "stgym/fused_classifier/",
      "stgym/rows_in_place/",   "stgym/prefetch/",        "stgym/bf16/",
      "stgym/cuda_graph/",      "stgym/leave_one_out/",   "stgym/cpu_vs_cuda/",
  };
  return parts;
}

std::vector<harness::CatalogueOption> options() { return stgym::options(); }

}  // namespace workloads
