// The ladder as data: one switch for each published change, in the order of publication, then one for each of
// ours beyond it. No LibTorch.
#pragma once

#include "workloads/stgym/space/rung_needs.hpp"
#include "workloads/training/switches.hpp"

#include <algorithm>
#include <string_view>

namespace workloads::stgym {

/// What a form does differently from the first published version. All false: naive.
struct Switches {
  bool delayed_cpu = false;     // labels and scores stay on the device until the metric needs them
  bool device_indices = false;  // index tensors are made on the device of their input
  bool single_tail = false;     // the tail of the pooling layer runs once, not twice
  bool no_to_dense = false;     // values that are dense already are not converted
  bool no_anomaly = false;      // autograd's anomaly detection is off
  bool no_item = false;         // 1/sqrt(K) stays on the device
  bool matmul_medium = false;   // float32 matmul precision "medium" instead of "highest"
  bool workers_5 = false;       // five loader threads instead of none
  bool inplace = false;         // activations overwrite their input
  // Beyond the published end.
  bool graph_once = false;        // edges and adjacency are built once, not on every access
  bool explicit_sizes = false;    // sparse constructors and repeat_interleave get their sizes and orders
  bool no_host_checks = false;    // the range checks read what the host knows, not the device
  bool segment_pooling = false;   // C is never made: small dense products, graph by graph
  bool project_first = false;     // features are multiplied by the first weight before they are aggregated
  bool fused_optimizer = false;   // Adam's step is one operator over all parameters
  bool onednn_products = false;   // on the host linear layers multiply through oneDNN, not the BLAS library
  bool probed_products = false;   // on the host each product goes through the library that a probe prefers
  bool no_unread_graph = false;   // the pooled graph is not made where nobody reads it
  bool fused_pooling = false;     // softmaxes and sums of the pooling layer in one kernel of our own
  bool fused_linear = false;      // on a device a hidden layer's bias and ReLU are the product's, or one pass
  bool fused_classifier = false;  // on a device the classifier and its loss are one kernel each way
  bool rows_in_place = false;     // a batch is a list of rows: features stay where they lie
  bool tensor_core_products = false;  // on a device those with rows in place run on tensor cores
  bool bf16_rows = false;             // on a device features lie in BF16, and tensor cores multiply them
  bool prefetch = false;      // data in pinned host memory, the next batch copied during this one's step
  bool bf16 = false;          // products in BF16 by autocast
  bool amx_products = false;  // on the host features lie in BF16, and a matrix unit multiplies them
  bool cuda_graph = false;    // padded steps, one captured graph for each bucket
  bool compiled = false;      // the whole step is one function that torch's compiler has compiled
  bool operator==(const Switches&) const = default;
};

/// A rung: its switch, and whether the chain keeps it. A rung that is not kept is a branch: it is measured
/// against the kept rungs below it, and the rungs above do without it.
struct Rung {
  std::string_view name;
  bool Switches::* change;
  bool kept;
  space::Needs needs;                  // of the configuration
  const char* needs_device = nullptr;  // why a CPU skips it; null: it does not
  const char* needs_host = nullptr;    // why a CUDA device does
};

/// The ladder from the bottom. `matmul_medium` is not a part of the chain because it changes the arithmetic,
/// so that the end-to-end row can promise equal losses; `workers_5` because its author took it back. Of ours,
/// `bf16`, `bf16_rows` and `amx_products` change the arithmetic too, `prefetch` is for data that do not fit
/// on the device, `cuda_graph` pads its batches, which an H200 has not repaid; `compiled` needs a compiler on
/// the machine that measures, and no device has measured `tensor_core_products` yet.
constexpr Rung ladder[] = {
    {"delayed_cpu", &Switches::delayed_cpu, true, space::any_model},
    {"device_indices", &Switches::device_indices, true, space::needs_pooling},
    {"single_tail", &Switches::single_tail, true, space::needs_pooling},
    {"no_to_dense", &Switches::no_to_dense, true, space::needs_pooling},
    {"no_anomaly", &Switches::no_anomaly, true, space::any_model},
    {"no_item", &Switches::no_item, true, space::needs_pooling},
    {"matmul_medium", &Switches::matmul_medium, false, space::any_model},
    {"workers_5", &Switches::workers_5, false, space::any_model},
    {"inplace", &Switches::inplace, true, space::needs_activation},
    {"graph_once", &Switches::graph_once, true, space::any_model},
    {"explicit_sizes", &Switches::explicit_sizes, true, space::needs_pooling},
    {"no_host_checks", &Switches::no_host_checks, true, space::needs_pooling},
    {"segment_pooling", &Switches::segment_pooling, true, space::needs_pooling},
    {"project_first", &Switches::project_first, true, space::needs_sum_before_product},
    {"fused_optimizer", &Switches::fused_optimizer, true, space::any_model},
    {"onednn_products", &Switches::onednn_products, true, space::any_model, nullptr,
     "products on a device are not the host's libraries'"},
    {"probed_products", &Switches::probed_products, true, space::any_model, nullptr,
     "products on a device are not the host's libraries'"},
    {"no_unread_graph", &Switches::no_unread_graph, true, space::needs_pooling_last},
    {"fused_pooling", &Switches::fused_pooling, true, space::needs_mincut_first},
    {"fused_linear", &Switches::fused_linear, true, space::needs_published_layers,
     "the host has no pass to save: activations overwrite what lies in its cache"},
    {"fused_classifier", &Switches::fused_classifier, true, space::needs_classified_nodes,
     "the kernel is for a device: the host launches nothing"},
    {"rows_in_place", &Switches::rows_in_place, true, space::needs_rows},
    {"tensor_core_products", &Switches::tensor_core_products, false, space::needs_rows,
     "tensor cores are a device's"},
    {"bf16_rows", &Switches::bf16_rows, false, space::needs_rows,
     "the host's form with features in BF16 is amx_products"},
    {"prefetch", &Switches::prefetch, false, space::any_model},
    {"bf16", &Switches::bf16, false, space::any_model},
    {"amx_products", &Switches::amx_products, false, space::needs_rows, nullptr,
     "a device's form with features in BF16 is bf16_rows"},
    {"cuda_graph", &Switches::cuda_graph, false, space::needs_published_shape,
     "the host launches nothing that a CUDA graph could gather"},
    {"compiled", &Switches::compiled, false, space::needs_compiled_model},
};
static_assert(std::ranges::all_of(ladder, [](const Rung& rung) { return rung.needs != nullptr; }));

/// The last rung that was published.
constexpr auto last_published = &Switches::inplace;

/// The kept rungs below `change`: what that rung is measured against.
constexpr Switches below(bool Switches::* change) { return training::kept_below(ladder, change); }

/// The kept rungs below `change`, and `change`.
constexpr Switches with(bool Switches::* change) { return training::kept_with(ladder, change); }

/// Every kept rung, ours too: the top of the ladder.
constexpr Switches all_kept() { return training::kept_below<Switches>(ladder, nullptr); }

}  // namespace workloads::stgym
