// What both passes of the classifier's kernels share. A block holds all weights in shared memory and takes 16
// nodes at a time through every layer and, in the backward pass, back again. What a layer gives is made anew
// there: reading it would cost more than the arithmetic. Behind a layer's inputs stands a 1, whose weight is
// the bias. A thread makes 4 x 4 numbers of a result, of four by four of each factor; where a layer's width
// is no multiple of 4, zeros stand behind it.
#pragma once

#include "workloads/stgym/model/node_classifier_kernels.hpp"
#include "workloads/stgym/model/warp.cuh"

namespace workloads::stgym {
namespace {

constexpr int threads = 128;
constexpr int each = 4;    // rows and columns of a thread's tile
constexpr int nodes = 16;  // at a time
constexpr int groups = nodes / each;
constexpr int stride = nodes + each;  // so that the rows of a tile lie in different banks

using Weights = float[most_classifier_weights];        // of a layer [inputs, its stride]
using Numbers = float[most_classifier_rows * stride];  // a row has one number of each node

__device__ int self() { return static_cast<int>(threadIdx.x); }

__host__ __device__ int tiles_of(int length) { return (length + each - 1) / each; }
/// Of a layer's inputs, the 1 behind them too.
__host__ __device__ int input_tiles(const ClassifierLayer& layer) { return tiles_of(layer.inputs + 1); }

struct Tile {
  float at[each][each] = {};
};

__device__ Tile load(const float* from, int row_length) {
  Tile tile;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const float4 row = *reinterpret_cast<const float4*>(from + i * row_length);
    tile.at[i][0] = row.x, tile.at[i][1] = row.y, tile.at[i][2] = row.z, tile.at[i][3] = row.w;
  }
  return tile;
}

enum class Sum { along_rows, down_rows };  // of a factor's tile

template <Sum of_a, Sum of_b>
__device__ void add_product(Tile& sum, const Tile& a, const Tile& b) {
#pragma unroll
  for (int k = 0; k < each; ++k)
#pragma unroll
    for (int i = 0; i < each; ++i)
#pragma unroll
      for (int j = 0; j < each; ++j)
        sum.at[i][j] += (of_a == Sum::along_rows ? a.at[i][k] : a.at[k][i]) *
                        (of_b == Sum::along_rows ? b.at[j][k] : b.at[k][j]);
}

/// Calls give(row, node, number) for a thread's tile of a result that has a row for each of `rows` numbers.
template <class Give>
__device__ void for_numbers(const Tile& tile, int first_row, int first_node, int rows, Give give) {
#pragma unroll
  for (int i = 0; i < each; ++i)
#pragma unroll
    for (int j = 0; j < each; ++j)
      if (first_row + i < rows) give(first_row + i, first_node + j, tile.at[i][j]);
}

/// All weights, and zeros behind them; of the nodes the 1 behind each layer's inputs, and zeros.
__device__ void prepare(const Classifier& a, Weights& weights, Numbers& numbers) {
  for (int i = self(); i < most_classifier_weights; i += threads) weights[i] = 0;
  for (int i = self(); i < most_classifier_rows * stride; i += threads) numbers[i] = 0;
  __syncthreads();
  for (int l = 0; l < a.layers; ++l) {
    const ClassifierLayer& layer = a.layer[l];
    float* to = weights + layer.weights;
    for (int i = self(); i < layer.outputs * layer.inputs; i += threads)
      to[i % layer.inputs * layer.length + i / layer.inputs] = layer.weight[i];
    for (int o = self(); o < layer.outputs; o += threads) to[layer.inputs * layer.length + o] = layer.bias[o];
    if (self() < nodes) numbers[(layer.in + layer.inputs) * stride + self()] = 1;
  }
}

__device__ void load_nodes(const Classifier& a, std::int64_t first, Numbers& numbers) {
  const int width = a.layer[0].inputs;
  for (int i = self(); i < nodes * width; i += threads)
    numbers[i % width * stride + i / width] = first + i / width < a.nodes ? a.x[first * width + i] : 0;
}

/// The last layer's results, where its gradient will be.
__device__ float* logits_of(const Classifier& a, Numbers& numbers) {
  return numbers + a.layer[a.layers - 1].of_out * stride;
}

/// All layers of the nodes, up to the logits.
__device__ void forward(const Classifier& a, const Weights& weights, Numbers& numbers) {
  for (int l = 0; l < a.layers; ++l) {
    __syncthreads();
    const ClassifierLayer& layer = a.layer[l];
    float* out = l + 1 < a.layers ? numbers + a.layer[l + 1].in * stride : logits_of(a, numbers);
    for (int i = self(); i < tiles_of(layer.outputs) * groups; i += threads) {
      const int row = i / groups * each;
      const int node = i % groups * each;
      Tile sum;
      for (int k = 0; k < input_tiles(layer) * each; k += each)
        add_product<Sum::down_rows, Sum::down_rows>(
            sum, load(weights + layer.weights + k * layer.length + row, layer.length),
            load(numbers + (layer.in + k) * stride + node, stride));
      for_numbers(sum, row, node, layer.outputs,
                  [&](int o, int n, float number) { out[o * stride + n] = fmaxf(number, 0); });
    }
  }
  __syncthreads();
}

__device__ int classes_of(const Classifier& a) { return a.layer[a.layers - 1].outputs; }

/// What the softmax of a node's logits is divided by, as a logarithm; a whole warp asks.
__device__ float log_of_sum(const float* logits, int classes) {
  float most = -INFINITY;
  for (int c = self() % warp; c < classes; c += warp) most = fmaxf(most, logits[c * stride]);
  most = warp_max(most);
  float sum = 0;
  for (int c = self() % warp; c < classes; c += warp) sum += expf(logits[c * stride] - most);
  return most + logf(warp_sum(sum));
}

__device__ std::int64_t label_of(const Classifier& a, std::int64_t n) {
  return n < a.nodes ? a.labels[n] : -1;
}

}  // namespace
}  // namespace workloads::stgym
