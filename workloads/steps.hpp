// Table of contents: one line per rung, in the order of publication, then ours. stgym/device_indices lies in
// stgym/device_indices.cpp; what the rungs share lies beside them.
#pragma once

#include "harness/cli/catalogue.hpp"
#include "harness/loader/batch_source.hpp"
#include "harness/step.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace workloads {

extern const harness::Step stgym_delayed_cpu;
extern const harness::Step stgym_device_indices;
extern const harness::Step stgym_single_tail;
extern const harness::Step stgym_no_to_dense;
extern const harness::Step stgym_no_anomaly;
extern const harness::Step stgym_no_item;
extern const harness::Step stgym_matmul_medium;
extern const harness::Step stgym_workers_5;
extern const harness::Step stgym_inplace;
extern const harness::Step stgym_end_to_end;
// Ours, beyond the published end.
extern const harness::Step stgym_graph_once;
extern const harness::Step stgym_explicit_sizes;
extern const harness::Step stgym_no_host_checks;
extern const harness::Step stgym_segment_pooling;
extern const harness::Step stgym_project_first;
extern const harness::Step stgym_fused_optimizer;
extern const harness::Step stgym_onednn_products;
extern const harness::Step stgym_no_unread_graph;
extern const harness::Step stgym_fused_pooling;
extern const harness::Step stgym_fused_linear;
extern const harness::Step stgym_fused_classifier;
extern const harness::Step stgym_rows_in_place;
extern const harness::Step stgym_prefetch;
extern const harness::Step stgym_bf16;
extern const harness::Step stgym_cuda_graph;
// The ends of the ladder, seen from both sides and on both devices.
extern const harness::Step stgym_leave_one_out;
extern const harness::Step stgym_cpu_vs_cuda;

/// All steps of this folder.
harness::Steps steps();

/// The sources of batches that its loader processes make.
std::span<const harness::BatchSource> loader_sources();

/// Parts of the names of rows that belong to no suite: each rung is measured against the one below, and
/// stgym/end_to_end has the sum. Against naive, one by one, takes as long again (on a GPU, hours). The rungs
/// of ours run when they are named: the suites keep to the published ladder.
std::span<const std::string_view> not_in_suites();

/// The options that its workloads read.
std::vector<harness::CatalogueOption> options();

}  // namespace workloads
