// How well scores order what they score. Tensors on any device; computed on the host, in double.
#pragma once

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// The area under the ROC curve: the share of pairs of a positive (label 1) and a negative (0) in which the
/// positive has the higher score, where equal scores count half. `label` int64 [n], `score` [n]. NaN where
/// one of the two classes is missing or a score is NaN.
double roc_auc(const at::Tensor& label, const at::Tensor& score);

/// Of several classes, one versus one: over the pairs of classes, the mean of both directions' area among the
/// samples of the two. `label` int64 [n] in [0, C), `score` [n, C]. Pairs of which a class is missing are
/// left out; NaN where no pair is left.
double roc_auc_one_versus_one(const at::Tensor& label, const at::Tensor& score);

}  // namespace workloads::stgym
