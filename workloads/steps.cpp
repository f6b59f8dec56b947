#include "workloads/steps.hpp"

#include "workloads/stgym/process_feed.hpp"
#include "workloads/stgym/training_options.hpp"

namespace workloads {
namespace {

constexpr const harness::Step* all[] = {
    &stgym_delayed_cpu,    &stgym_device_indices,  &stgym_single_tail,   &stgym_no_to_dense,
    &stgym_no_anomaly,     &stgym_no_item,         &stgym_matmul_medium, &stgym_workers_5,
    &stgym_inplace,        &stgym_end_to_end,      &stgym_graph_once,    &stgym_explicit_sizes,
    &stgym_no_host_checks, &stgym_segment_pooling, &stgym_project_first, &stgym_fused_optimizer,
};

}  // namespace

harness::Steps steps() { return all; }

std::span<const harness::BatchSource> loader_sources() { return {&stgym::graph_batches, 1}; }

std::span<const std::string_view> not_in_suites() {
  static constexpr std::string_view parts[] = {
      "/against:naive",         "stgym/graph_once/",    "stgym/explicit_sizes/",  "stgym/no_host_checks/",
      "stgym/segment_pooling/", "stgym/project_first/", "stgym/fused_optimizer/",
  };
  return parts;
}

std::vector<harness::CatalogueOption> options() { return stgym::options(); }

}  // namespace workloads
