// How good a prediction is. Both take class numbers, int64 [n], on any device, and copy one number back.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace workloads::stgym {

/// The share of predictions that equal their label; NaN for n = 0.
double accuracy(const at::Tensor& predicted, const at::Tensor& label);

/// 2 TP / (2 TP + FP + FN) with the counts of all classes added up; NaN for n = 0.
double micro_f1(const at::Tensor& predicted, const at::Tensor& label, std::int64_t classes);

}  // namespace workloads::stgym
