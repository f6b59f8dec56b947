// What both passes of the classifier's kernels share. A block holds all weights in shared memory and takes 16
// nodes at a time through every layer and, in the backward pass, back again. What a layer gives is made anew
// there: reading it would cost more than the arithmetic. Behind a layer's inputs stands a 1, whose weight is
// the bias.
#pragma once

#include "workloads/stgym/model/node_classifier_kernels.hpp"
#include "workloads/stgym/model/warp.cuh"

namespace workloads::stgym {
namespace {

constexpr int threads = 128;
constexpr int tile = 16;  // nodes at a time
constexpr int each = 4;   // rows of a thread's result

using Weights = float[most_classifier_parameters];
using Nodes = float[tile * most_classifier_numbers];

__device__ int self() { return static_cast<int>(threadIdx.x); }

/// Where a factor's number (i, k) lies: `at` + i * number + k * step.
struct Factor {
  const float* at;
  int number, step;
};

/// Calls give(r, c, sum over k of a(r, k) b(c, k)). A thread has 4 rows of a column.
template <class Give>
__device__ void multiply(const Factor& a, const Factor& b, int3 size, Give give) {
  const int groups = (size.x + each - 1) / each;
  for (int i = self(); i < groups * size.y; i += threads) {
    const int c = i % size.y;
    const int first = i / size.y * each;
    const float* row[each];
    for (int r = 0; r < each; ++r) row[r] = a.at + (first + r < size.x ? first + r : first) * a.number;
    const float* column = b.at + c * b.number;
    float sum[each] = {};
    for (int k = 0; k < size.z; ++k) {
      const float factor = column[k * b.step];
#pragma unroll
      for (int r = 0; r < each; ++r) sum[r] += row[r][k * a.step] * factor;
    }
    for (int r = 0; r < each; ++r)
      if (first + r < size.x) give(first + r, c, sum[r]);
  }
}

/// Where a layer's weights begin, and its inputs in a node's numbers.
struct Place {
  int weights = 0, inputs = 0;
};

__device__ Place place_of(const Classifier& a, int layer) {
  Place place;
  for (int l = 0; l < layer; ++l) {
    place.weights += a.layer[l].outputs * (a.layer[l].inputs + 1);
    place.inputs += a.layer[l].inputs + 1;
  }
  return place;
}

__device__ void load_weights(const Classifier& a, Weights& weights) {
  for (int l = 0; l < a.layers; ++l) {
    const ClassifierLayer& layer = a.layer[l];
    const int width = layer.inputs + 1;
    float* to = weights + place_of(a, l).weights;
    for (int i = self(); i < layer.outputs * width; i += threads)
      to[i] = i % width < layer.inputs ? layer.weight[i / width * layer.inputs + i % width]
                                       : layer.bias[i / width];
  }
}

/// The tile's inputs, and the 1 behind every layer's.
__device__ void load_nodes(const Classifier& a, std::int64_t first, Nodes& nodes) {
  const int width = a.layer[0].inputs;
  for (int i = self(); i < tile * width; i += threads) {
    const auto n = first + i / width;
    nodes[i / width * most_classifier_numbers + i % width] = n < a.nodes ? a.x[n * width + i % width] : 0;
  }
  for (int i = self(); i < tile * a.layers; i += threads) {
    const int l = i % a.layers;
    nodes[i / a.layers * most_classifier_numbers + place_of(a, l).inputs + a.layer[l].inputs] = 1;
  }
}

/// All layers of the tile, up to the logits.
__device__ void forward(const Classifier& a, const Weights& weights, Nodes& nodes) {
  for (int l = 0; l < a.layers; ++l) {
    __syncthreads();
    const auto place = place_of(a, l);
    const int width = a.layer[l].inputs + 1;
    float* out = nodes + place.inputs + width;
    multiply({nodes + place.inputs, most_classifier_numbers, 1}, {weights + place.weights, width, 1},
             {tile, a.layer[l].outputs, width},
             [&](int n, int c, float sum) { out[n * most_classifier_numbers + c] = fmaxf(sum, 0); });
  }
  __syncthreads();
}

__device__ int classes_of(const Classifier& a) { return a.layer[a.layers - 1].outputs; }

/// What the softmax of a node's logits is divided by, as a logarithm; a whole warp asks.
__device__ float log_of_sum(const float* logits, int classes) {
  float most = -INFINITY;
  for (int c = self() % warp; c < classes; c += warp) most = fmaxf(most, logits[c]);
  most = warp_max(most);
  float sum = 0;
  for (int c = self() % warp; c < classes; c += warp) sum += expf(logits[c] - most);
  return most + logf(warp_sum(sum));
}

__device__ std::int64_t label_of(const Classifier& a, std::int64_t n) {
  return n < a.nodes ? a.labels[n] : -1;
}

}  // namespace
}  // namespace workloads::stgym
