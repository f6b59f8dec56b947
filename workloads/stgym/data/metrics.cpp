#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>

#include <limits>

namespace workloads::stgym {

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

}  // namespace workloads::stgym
