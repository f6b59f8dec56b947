// Sums over neighbors that are found where they lie, and products with rows that are picked by number and
// never copied together, with what stands before and behind them in the same pass: plain pointers and
// sizes, no LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

/// Who is whose neighbour among the rows of a data set, both ways. A batch has the rows of whole graphs, in
/// order: so a neighbour is as far away in the batch as in the data set. `begin` is empty: no neighbours.
struct NeighbourRows {
  const std::int64_t* begin = nullptr;  // [rows + 1]
  const std::int64_t* end = nullptr;    // [E]: a neighbour's row
  const float* weight = nullptr;        // [E]
  const std::int64_t* rows = nullptr;   // [N]: a node's row in the data set, or -1, which has no neighbours
  double mean_neighbours = 0;           // of a node of the data set: what a launch does, by its mean
};

/// out = max(0, y + bias + sum over neighbours of y). N nodes, H numbers each, a multiple of 4.
struct NeighbourSum {
  NeighbourRows neighbours;
  std::int64_t nodes = 0, width = 0;
  const float* y = nullptr;     // [N, H]
  const float* bias = nullptr;  // [H]
  float* out = nullptr;         // [N, H]
};

/// From the gradient by `out` to those by y and, in `blocks` sums, by the bias. Without neighbours it is that
/// of a bias and a ReLU behind a product.
struct NeighbourSumBackward {
  NeighbourRows neighbours;
  std::int64_t nodes = 0, width = 0;
  const float* gradient = nullptr;  // [N, H]
  const float* out = nullptr;       // [N, H]: of the forward pass
  float* of_y = nullptr;            // [N, H]
  float* of_bias = nullptr;         // [blocks, H]
  int blocks = 1;
};

/// Of the neighbours' S, and of trace(S'A S) and trace(S'D S).
struct NeighbourAssignment {
  NeighbourRows neighbours;
  std::int64_t nodes = 0, clusters = 0;  // at most 32
  const float* s = nullptr;              // [N, K]
  const float* weighted = nullptr;       // [N]: degree |S|^2
  float* sum = nullptr;                  // [N, K]: (A + A') S, twice the sum over neighbours
  float* traces = nullptr;               // [blocks, 2]
  int blocks = 1;
};

constexpr std::int64_t most_summed_width = 256;

void launch_neighbour_sum(const NeighbourSum& args, cudaStream_t stream);
void launch_neighbour_sum_backward(const NeighbourSumBackward& args, cudaStream_t stream);
void launch_neighbour_assignment(const NeighbourAssignment& args, cudaStream_t stream);

/// N rows of `x` in the order of `rows`, each of F numbers; H outputs. F and H are multiples of 4, or for
/// BF16 of 8. What is multiplied, here and below, is FP32 or for Digits::bf16 BF16.
struct PickedRows {
  const void* x = nullptr;
  /// [N]: a row of x, or -1, which counts as a row of zeros. Null: x's first N.
  const std::int64_t* rows = nullptr;
  std::int64_t count = 0;  // N
  std::int64_t width = 0;  // F
};

/// out [N, H] = picked W' + bias; weight is [H, F].
struct GatheredProduct {
  PickedRows picked;
  const void* weight = nullptr;
  float* out = nullptr;
  std::int64_t outputs = 0;     // H
  const float* bias = nullptr;  // [H], added; null: none
  std::int64_t relu = 0;        // 1: the result is at least 0
};

/// The weight's gradient in `parts` sums over rows: partial [parts, H, F]; gradient is [N, H].
struct GatheredGradient {
  PickedRows picked;
  const void* gradient = nullptr;
  float* partial = nullptr;
  std::int64_t outputs = 0;  // H
  int parts = 1;
};

/// What a product keeps of a factor: all of FP32's 24 significant digits, in FP32 arithmetic; or, on tensor
/// cores, of compute capability 8.0 or above, TF32's 11, in three products of two parts each almost 24, or
/// BF16's 8.
enum class Digits { fp32, tf32, three_times_tf32, bf16 };

/// Into how many parts a gradient's rows fall, so that there are as many blocks as a device of so many
/// processors holds at once: the result alone is a few tiles.
int gradient_parts(std::int64_t outputs, std::int64_t width, Digits digits, int processors);

void launch_gathered_product(const GatheredProduct& args, Digits digits, cudaStream_t stream);
void launch_gathered_gradient(const GatheredGradient& args, Digits digits, cudaStream_t stream);

}  // namespace workloads::stgym
