// How far two partitions of the same nodes agree, whatever their parts are called. int64 [n] on any device.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// Normalised mutual information: that of the two, divided by the mean of their entropies. 1 for equal
/// partitions, also where both have one part only; NaN for n = 0.
double normalized_mutual_information(const at::Tensor& label, const at::Tensor& cluster);

/// The adjusted Rand index: the share of pairs of nodes about which both agree, corrected for chance. 1 for
/// equal partitions, about 0 for independent ones, below it where they avoid each other; NaN for n = 0.
double adjusted_rand_index(const at::Tensor& label, const at::Tensor& cluster);

/// Both, for each graph on its own and then averaged over the graphs: `sizes` are their nodes, in order.
struct Agreement {
  double nmi = 0;
  double ari = 0;
};
Agreement agreement_per_graph(const at::Tensor& label, const at::Tensor& cluster,
                              const std::vector<std::int64_t>& sizes);

}  // namespace workloads::stgym
