// The ladder as data: one switch for each published change, in the order of publication, then one for each of
// ours beyond it. No LibTorch.
#pragma once

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
  bool graph_once = false;       // edges and adjacency are built once, not on every access
  bool explicit_sizes = false;   // sparse constructors and repeat_interleave are told their sizes and orders
  bool no_host_checks = false;   // the range checks read what the host knows, not the device
  bool segment_pooling = false;  // C is never made: small dense products, graph by graph
  bool project_first = false;    // features are multiplied by the first weight before they are aggregated
  bool fused_optimizer = false;  // Adam's step is one operator over all parameters
  bool operator==(const Switches&) const = default;
};

/// A rung: its switch, and whether the chain keeps it. A rung that is not kept is a branch: it is measured
/// against the kept rungs below it, and the rungs above do without it.
struct Rung {
  bool Switches::* change;
  bool kept;
};

/// The ladder from the bottom. `matmul_medium` is no part of the chain because it changes the arithmetic, so
/// that the end-to-end row can promise equal losses; `workers_5` because its author took it back.
constexpr Rung ladder[] = {
    {&Switches::delayed_cpu, true},     {&Switches::device_indices, true}, {&Switches::single_tail, true},
    {&Switches::no_to_dense, true},     {&Switches::no_anomaly, true},     {&Switches::no_item, true},
    {&Switches::matmul_medium, false},  {&Switches::workers_5, false},     {&Switches::inplace, true},
    {&Switches::graph_once, true},      {&Switches::explicit_sizes, true}, {&Switches::no_host_checks, true},
    {&Switches::segment_pooling, true}, {&Switches::project_first, true},  {&Switches::fused_optimizer, true},
};

/// The last rung that was published.
constexpr auto last_published = &Switches::inplace;

/// The kept rungs below `change`: what that rung is measured against.
constexpr Switches below(bool Switches::* change) {
  Switches switches;
  for (const auto& rung : ladder) {
    if (rung.change == change) break;
    if (rung.kept) switches.*rung.change = true;
  }
  return switches;
}

/// The kept rungs below `change`, and `change`.
constexpr Switches with(bool Switches::* change) {
  auto switches = below(change);
  switches.*change = true;
  return switches;
}

/// Every kept rung, ours too: the top of the ladder.
constexpr Switches all_kept() {
  Switches switches;
  for (const auto& rung : ladder)
    if (rung.kept) switches.*rung.change = true;
  return switches;
}

}  // namespace workloads::stgym
