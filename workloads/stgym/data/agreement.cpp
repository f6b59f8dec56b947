#include "workloads/stgym/data/agreement.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace workloads::stgym {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using Part = std::int64_t;

/// How many nodes lie in each part of either partition, and in each pair of parts.
struct Counts {
  double nodes = 0;
  std::map<Part, double> of_label;
  std::map<Part, double> of_cluster;
  std::map<std::pair<Part, Part>, double> of_both;
};

Counts count(const at::Tensor& label, const at::Tensor& cluster) {
  if (label.sizes() != cluster.sizes()) throw std::invalid_argument("two partitions of different nodes");
  const auto labels = label.cpu().contiguous();
  const auto clusters = cluster.cpu().contiguous();
  const auto a = labels.accessor<Part, 1>();
  const auto b = clusters.accessor<Part, 1>();
  Counts counts;
  for (std::int64_t i = 0; i < a.size(0); ++i) {
    ++counts.nodes;
    ++counts.of_label[a[i]];
    ++counts.of_cluster[b[i]];
    ++counts.of_both[{a[i], b[i]}];
  }
  return counts;
}

double entropy(const std::map<Part, double>& parts, double nodes) {
  double sum = 0;
  for (const auto& [part, size] : parts) sum -= size / nodes * std::log(size / nodes);
  return sum;
}

double nmi_of(const Counts& counts) {
  if (counts.nodes == 0) return none;
  if (counts.of_label.size() == 1 && counts.of_cluster.size() == 1) return 1;
  double information = 0;
  for (const auto& [parts, size] : counts.of_both) {
    const auto expected = counts.of_label.at(parts.first) * counts.of_cluster.at(parts.second) / counts.nodes;
    information += size / counts.nodes * std::log(size / expected);
  }
  // Nothing in common leaves rounding errors of either sign.
  if (information <= std::numeric_limits<double>::epsilon()) return 0;
  return 2 * information /
         (entropy(counts.of_label, counts.nodes) + entropy(counts.of_cluster, counts.nodes));
}

/// Twice the number of pairs within the parts.
template <class Parts>
double pairs_within(const Parts& parts) {
  double sum = 0;
  for (const auto& [part, size] : parts) sum += size * (size - 1);
  return sum;
}

double ari_of(const Counts& counts) {
  if (counts.nodes == 0) return none;
  const auto all = counts.nodes * (counts.nodes - 1);
  const auto both = pairs_within(counts.of_both);
  const auto label = pairs_within(counts.of_label);
  const auto cluster = pairs_within(counts.of_cluster);
  if (both == label && both == cluster) return 1;
  const auto expected = label * cluster / all;
  return (both - expected) / ((label + cluster) / 2 - expected);
}

}  // namespace

double normalized_mutual_information(const at::Tensor& label, const at::Tensor& cluster) {
  return nmi_of(count(label, cluster));
}

double adjusted_rand_index(const at::Tensor& label, const at::Tensor& cluster) {
  return ari_of(count(label, cluster));
}

Agreement agreement_per_graph(const at::Tensor& label, const at::Tensor& cluster,
                              const std::vector<std::int64_t>& sizes) {
  const auto labels = label.cpu();
  const auto clusters = cluster.cpu();
  Agreement mean;
  std::int64_t begin = 0;
  for (const auto size : sizes) {
    const auto counts = count(labels.narrow(0, begin, size), clusters.narrow(0, begin, size));
    mean.nmi += nmi_of(counts);
    mean.ari += ari_of(counts);
    begin += size;
  }
  if (begin != labels.size(0))
    throw std::invalid_argument("the sizes of the graphs are not those of the nodes");
  const auto graphs = static_cast<double>(sizes.size());
  return {mean.nmi / graphs, mean.ari / graphs};
}

}  // namespace workloads::stgym
