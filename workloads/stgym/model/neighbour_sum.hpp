// Sums over neighbors, biases and ReLUs in one pass, and products with picked rows: what stgym/fused_linear,
// stgym/rows_in_place, stgym/tensor_core_products and stgym/bf16_rows compute on a device.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/neighbour_sum_kernels.hpp"

namespace workloads::stgym {

/// True if the kernels take a layer of these outputs: float32 on a device, a multiple of 4, at most 256.
bool fused_linear_fits(const at::Tensor& x, const at::Tensor& weight);

/// max(0, x W' + bias): the product adds the bias and cuts off, and the backward pass makes the bias's
/// gradient while it masks. weight [H, F], bias [H]. `on_tensor_cores`: as gathered_product has it.
at::Tensor linear_relu(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias,
                       bool on_tensor_cores = false);

/// x W' + bias on tensor cores, as gathered_product has it; in FP32 arithmetic where F or H is no multiple
/// of 4.
at::Tensor linear_on_tensor_cores(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias);

/// max(0, y + bias + sum of the neighbours' rows of y), of a batch of row numbers. y [N, H].
at::Tensor neighbour_sum(const at::Tensor& y, const at::Tensor& bias, const Batch& batch);

/// x[rows] weight', [N, H], without x[rows] ever being made; a row of -1 counts as zeros. On a CUDA device:
/// x [R, F] and weight [H, F] float32, F and H multiples of 4, rows [N] int64. The gradient is the weight's
/// only, in as many sums over rows as keep the device busy. `on_tensor_cores`: with the digits that float32
/// matmul precision asks for, FP32's at "highest" and TF32's else; in FP32 arithmetic where tensor cores take
/// no TF32. Or x is BF16, where they take that, and F and H are multiples of 8: then weight and gradient are
/// rounded to BF16, and sums are FP32.
at::Tensor gathered_product(const at::Tensor& x, const at::Tensor& rows, const at::Tensor& weight,
                            bool on_tensor_cores = false);

/// Of such a product with x's first rows, against FP64: a share of it. With `rounded` x is read in BF16.
double gathered_product_error(const at::Tensor& x, bool on_tensor_cores, bool rounded);

/// Those of a CUDA device, from compute capability 8.0 on; BF16 too.
bool tensor_cores_take_tf32(at::Device device);

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
