#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>

#include <algorithm>
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
struct PartCounts {
  double nodes = 0;
  std::map<Part, double> of_label;
  std::map<Part, double> of_cluster;
  std::map<std::pair<Part, Part>, double> of_both;
};

PartCounts counted(const at::Tensor& label, const at::Tensor& cluster) {
  if (label.sizes() != cluster.sizes()) throw std::invalid_argument("two partitions of different nodes");
  const auto labels = label.cpu().contiguous();
  const auto clusters = cluster.cpu().contiguous();
  const auto a = labels.accessor<Part, 1>();
  const auto b = clusters.accessor<Part, 1>();
  PartCounts counts;
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

double nmi_of(const PartCounts& counts) {
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

double ari_of(const PartCounts& counts) {
  if (counts.nodes == 0) return none;
  const auto all = counts.nodes * (counts.nodes - 1);
  const auto both = pairs_within(counts.of_both);
  const auto label = pairs_within(counts.of_label);
  const auto cluster = pairs_within(counts.of_cluster);
  if (both == label && both == cluster) return 1;
  const auto expected = label * cluster / all;
  return (both - expected) / ((label + cluster) / 2 - expected);
}

using Scored = std::vector<std::pair<double, bool>>;  // score, and whether it is of a positive

/// From the positives' ranks (Mann and Whitney); equal scores share the mean of their ranks.
double area(Scored samples) {
  if (std::ranges::any_of(samples, [](const auto& sample) { return std::isnan(sample.first); })) return none;
  std::ranges::sort(samples, {}, &Scored::value_type::first);
  double positives = 0;
  double ranks = 0;
  for (auto begin = samples.begin(); begin != samples.end();) {
    const auto end =
        std::find_if(begin, samples.end(), [&](const auto& s) { return s.first != begin->first; });
    const auto equal = static_cast<double>(std::count_if(begin, end, [](const auto& s) { return s.second; }));
    const auto mean_rank = static_cast<double>((begin - samples.begin()) + (end - samples.begin()) + 1) / 2;
    positives += equal;
    ranks += equal * mean_rank;
    begin = end;
  }
  const auto negatives = static_cast<double>(samples.size()) - positives;
  if (positives == 0 || negatives == 0) return none;
  return (ranks - positives * (positives + 1) / 2) / (positives * negatives);
}

/// Of the samples of two classes, those of the first being positive.
double area_between(const at::TensorAccessor<std::int64_t, 1>& label,
                    const at::TensorAccessor<double, 2>& score, std::int64_t positive,
                    std::int64_t negative) {
  Scored samples;
  for (std::int64_t i = 0; i < label.size(0); ++i)
    if (label[i] == positive || label[i] == negative)
      samples.emplace_back(score[i][positive], label[i] == positive);
  return area(std::move(samples));
}

at::Tensor on_host(const at::Tensor& values, at::ScalarType type) {
  return values.cpu().to(type).contiguous();
}

}  // namespace

double accuracy(const at::Tensor& predicted, const at::Tensor& label) {
  if (label.numel() == 0) return std::numeric_limits<double>::quiet_NaN();
  return predicted.eq(label).sum().item<double>() / static_cast<double>(label.numel());
}

double micro_f1(const at::Tensor& predicted, const at::Tensor& label, std::int64_t classes) {
  const auto true_positives = at::bincount(label.masked_select(predicted.eq(label)), {}, classes);
  const auto false_positives = at::bincount(predicted, {}, classes) - true_positives;
  const auto false_negatives = at::bincount(label, {}, classes) - true_positives;
  const auto twice = 2 * true_positives.sum();
  return (twice.to(at::kDouble) / (twice + false_positives.sum() + false_negatives.sum())).item<double>();
}

Agreement agreement_per_graph(const at::Tensor& label, const at::Tensor& cluster,
                              const std::vector<std::int64_t>& sizes) {
  const auto labels = label.cpu();
  const auto clusters = cluster.cpu();
  Agreement mean;
  std::int64_t begin = 0;
  for (const auto size : sizes) {
    const auto counts = counted(labels.narrow(0, begin, size), clusters.narrow(0, begin, size));
    mean.nmi += nmi_of(counts);
    mean.ari += ari_of(counts);
    begin += size;
  }
  if (begin != labels.size(0))
    throw std::invalid_argument("the sizes of the graphs are not those of the nodes");
  const auto graphs = static_cast<double>(sizes.size());
  return {mean.nmi / graphs, mean.ari / graphs};
}

double roc_auc(const at::Tensor& label, const at::Tensor& score) {
  const auto labels = on_host(label, at::kLong);
  const auto scores = on_host(score, at::kDouble);
  const auto y = labels.accessor<std::int64_t, 1>();
  const auto s = scores.accessor<double, 1>();
  Scored samples;
  for (std::int64_t i = 0; i < y.size(0); ++i) samples.emplace_back(s[i], y[i] == 1);
  return area(std::move(samples));
}

double roc_auc_one_versus_one(const at::Tensor& label, const at::Tensor& score) {
  const auto labels = on_host(label, at::kLong);
  const auto scores = on_host(score, at::kDouble);
  const auto y = labels.accessor<std::int64_t, 1>();
  const auto s = scores.accessor<double, 2>();
  const auto counts = at::bincount(labels, {}, s.size(1));
  const auto present = counts.accessor<std::int64_t, 1>();
  double sum = 0;
  double pairs = 0;
  for (std::int64_t a = 0; a < s.size(1); ++a)
    for (std::int64_t b = a + 1; b < s.size(1); ++b) {
      if (present[a] == 0 || present[b] == 0) continue;
      sum += (area_between(y, s, a, b) + area_between(y, s, b, a)) / 2;
      ++pairs;
    }
  return pairs == 0 ? none : sum / pairs;
}

}  // namespace workloads::stgym
