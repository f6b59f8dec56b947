// The graph of clusters that the pooling layer leaves behind, as it was first published.
#pragma once

#include "workloads/stgym/model/pooling.hpp"
#include "workloads/stgym/space/switches.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// [n]: what a pooled graph's weights [n, n] are divided by, the roots of their row sums (and 1e-12). 1 where
/// a node has no edge: a root of 0 has no derivative, and a layer on the pooled graph needs one.
at::Tensor roots(const at::Tensor& row_sums);

/// Weights [n, n], sparse and coalesced, without their diagonal, divided by the roots of both row sums.
/// `places` [2, n] holds 0 .. n - 1 twice.
at::Tensor normalised(const at::Tensor& weights, const at::Tensor& places, const Switches& switches);

/// Fills in edges and weights from out_adj, which is sparse: every edge in both directions, sorted, its
/// weight the mean of those that were there.
void make_undirected(Pooled& out, const Switches& switches);

}  // namespace workloads::stgym
