#include "workloads/steps.hpp"

#include "workloads/stgym/train/process_feed.hpp"
#include "workloads/stgym/train/training_options.hpp"

namespace workloads {
std::span<const harness::loader::BatchSource> loader_sources() { return {&stgym::graph_batches, 1}; }

std::span<const std::string_view> not_in_suites() {
  static constexpr std::string_view parts[] = {
      "/against:naive",         "stgym/graph_once/",      "stgym/explicit_sizes/",
      "stgym/no_host_checks/",  "stgym/segment_pooling/", "stgym/project_first/",
      "stgym/fused_optimizer/", "stgym/onednn_products/", "stgym/no_unread_graph/",
      "stgym/fused_pooling/",   "stgym/fused_linear/",    "stgym/fused_classifier/",
      "stgym/rows_in_place/",   "stgym/prefetch/",        "stgym/bf16/",
      "stgym/cuda_graph/",      "stgym/compiled/",        "stgym/leave_one_out/",
      "stgym/cpu_vs_cuda/",
  };
  return parts;
}

std::vector<harness::catalogue::Option> options() { return stgym::options(); }

}  // namespace workloads
