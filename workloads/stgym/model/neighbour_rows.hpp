#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/neighbour_sum_kernels.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// A batch of row numbers as its kernels are given it.
inline NeighbourRows neighbour_rows(const ResidentNeighbours& all, const at::Tensor& rows) {
  const auto nodes = static_cast<double>(all.begin.size(0) - 1);
  return {all.begin.const_data_ptr<std::int64_t>(), all.end.const_data_ptr<std::int64_t>(),
          all.weight.const_data_ptr<float>(), rows.const_data_ptr<std::int64_t>(),
          static_cast<double>(all.end.size(0)) / nodes};
}

/// Blocks that a kernel which adds up in each of them has: enough for the largest devices, and few sums.
constexpr int summing_blocks = 512;

}  // namespace workloads::stgym
