// How good a prediction is: accuracy and F1 of class numbers, how far two partitions agree, and how well
// scores order what they score. Tensors on any device.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// The share of predictions that equal their label; NaN for n = 0.
double accuracy(const at::Tensor& predicted, const at::Tensor& label);

/// 2 TP / (2 TP + FP + FN) with the counts of all classes added up; NaN for n = 0.
double micro_f1(const at::Tensor& predicted, const at::Tensor& label, std::int64_t classes);

/// How far two partitions agree; NaN for n = 0.
struct Agreement {
  /// Normalised mutual information: that of the two, divided by the mean of their entropies. 1 for equal
  /// partitions, also where both have one part only.
  double nmi = 0;
  /// The adjusted Rand index: the share of pairs of nodes about which both agree, corrected for chance. 1 for
  /// equal partitions, about 0 for independent ones, below it where they avoid each other.
  double ari = 0;
};
/// For each graph on its own, then averaged over the graphs: `sizes` are their nodes, in order.
Agreement agreement_per_graph(const at::Tensor& label, const at::Tensor& cluster,
                              const std::vector<std::int64_t>& sizes);

/// The area under the ROC curve: the share of pairs of a positive (label 1) and a negative (0) in which the
/// positive has the higher score, where equal scores count half. `label` int64 [n], `score` [n]. NaN where
/// one of the two classes is missing or a score is NaN.
double roc_auc(const at::Tensor& label, const at::Tensor& score);

/// Of several classes, one versus one: over the pairs of classes, the mean of both directions' area among the
/// samples of the two. `label` int64 [n] in [0, C), `score` [n, C]. Pairs of which a class is missing are
/// left out; NaN where no pair is left.
double roc_auc_one_versus_one(const at::Tensor& label, const at::Tensor& score);

}  // namespace workloads::stgym
