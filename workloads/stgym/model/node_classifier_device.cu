// The classifier's forward pass: a warp takes a node's logits to its loss.

#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/node_classifier.cuh"
#include "workloads/stgym/model/node_classifier_kernels.hpp"

namespace workloads::stgym {
namespace {

__global__ void __launch_bounds__(threads) classifier_forward(ClassifierForward a) {
  alignas(16) __shared__ Weights weights;
  alignas(16) __shared__ Numbers numbers;
  const int classes = classes_of(a.of);
  prepare(a.of, weights, numbers);
  float loss = 0;
  float labels = 0;
  for (auto first = static_cast<std::int64_t>(blockIdx.x) * nodes; first < a.of.nodes;
       first += static_cast<std::int64_t>(gridDim.x) * nodes) {
    load_nodes(a.of, first, numbers);
    forward(a.of, weights, numbers);
    for (int n = self() / warp; n < nodes; n += threads / warp) {
      const float* own = logits_of(a.of, numbers) + n;
      const float sum = log_of_sum(own, classes);
      const auto label = label_of(a.of, first + n);
      if (label >= 0) loss += sum - own[label * stride];
      if (label >= 0) labels += 1;
      for (int c = self() % warp; c < classes && first + n < a.of.nodes; c += warp)
        a.logits[(first + n) * classes + c] = own[c * stride];
    }
    __syncthreads();
  }
  store_sums<threads / warp>(loss, labels, a.parts);
}

__global__ void __launch_bounds__(warp) classifier_loss(ClassifierLoss a) {
  float loss = 0;
  float labels = 0;
  for (int b = self(); b < a.blocks; b += warp) {
    loss += a.parts[2 * b];
    labels += a.parts[2 * b + 1];
  }
  loss = warp_sum(loss);
  labels = warp_sum(labels);
  if (self() != 0) return;
  *a.loss = loss / labels;
  *a.labels = labels;
}

// The classifier's backward pass. Every layer's inputs and the gradients by its results are kept until the
// gradients by all weights are made, each tile of them in a thread's registers from the first node to the
// last.

/// By what the last ReLU was given, in the logits' place.
__device__ void loss_backward(const ClassifierBackward& a, std::int64_t first, Numbers& numbers) {
  const int classes = classes_of(a.of);
  const float factor = *a.of_loss / *a.labels;
  for (int n = self() / warp; n < nodes; n += threads / warp) {
    float* own = logits_of(a.of, numbers) + n;
    const float sum = log_of_sum(own, classes);
    const auto label = label_of(a.of, first + n);
    for (int c = self() % warp; c < classes; c += warp) {
      float& logit = own[c * stride];
      const float gradient = label < 0 ? 0 : (expf(logit - sum) - (c == label ? 1.0F : 0.0F)) * factor;
      logit = logit > 0 ? gradient : 0;
    }
  }
  __syncthreads();
}

/// The gradient by a layer's inputs: by what the ReLU before it was given, or of the first layer given out.
__device__ void inputs_backward(const ClassifierBackward& a, int l, std::int64_t first,
                                const Weights& weights, Numbers& numbers) {
  const ClassifierLayer& layer = a.of.layer[l];
  const float* in = numbers + layer.in * stride;
  for (int i = self(); i < tiles_of(layer.inputs) * groups; i += threads) {
    const int row = i / groups * each;
    const int node = i % groups * each;
    Tile sum;
    for (int k = 0; k < tiles_of(layer.outputs) * each; k += each)
      add_product<Sum::along_rows, Sum::down_rows>(
          sum, load(weights + layer.weights + row * layer.length + k, layer.length),
          load(numbers + (layer.of_out + k) * stride + node, stride));
    for_numbers(sum, row, node, layer.inputs, [&](int r, int n, float gradient) {
      if (l > 0)
        numbers[(a.of.layer[l - 1].of_out + r) * stride + n] = in[r * stride + n] > 0 ? gradient : 0;
      else if (first + n < a.of.nodes)
        a.of_x[(first + n) * layer.inputs + r] = gradient;
    });
  }
  if (l > 0) __syncthreads();
}

constexpr int most_tiles = most_classifier_weights / (each * each * threads) + 1;  // of a thread

/// A tile of the gradient by a layer's weights: 4 inputs, and of the outputs one in each quarter, so that
/// neighboring threads read rows in different banks. Behind all tiles `layer` is the number of layers.
struct WeightTile {
  int layer = 0, input = 0, output = 0;
};

/// The thread's own, one of most_tiles.
__device__ WeightTile weight_tile(const Classifier& a, int which) {
  int item = which * threads + self();
  for (int l = 0; l < a.layers; ++l) {
    const int columns = tiles_of(a.layer[l].outputs);
    const int all = input_tiles(a.layer[l]) * columns;
    if (item < all) return {l, item / columns * each, item % columns};
    item -= all;
  }
  return {a.layers};
}

/// Writes a tile into the block's part, where each layer has its weights, then its biases.
__device__ void store(const ClassifierBackward& a, const WeightTile& tile, const Tile& sum) {
  if (tile.layer == a.of.layers) return;
  const ClassifierLayer& layer = a.of.layer[tile.layer];
  float* to = a.parts + static_cast<std::int64_t>(blockIdx.x) * a.of.parameters + layer.parameters;
  for_numbers(sum, tile.input, 0, layer.inputs + 1, [&](int i, int quarter, float gradient) {
    const int o = tile.output + quarter * tiles_of(layer.outputs);
    if (o < layer.outputs)
      to[i < layer.inputs ? o * layer.inputs + i : layer.inputs * layer.outputs + o] = gradient;
  });
}

__global__ void __launch_bounds__(threads) classifier_backward(ClassifierBackward a) {
  alignas(16) __shared__ Weights weights;
  alignas(16) __shared__ Numbers numbers;
  const float* in[most_tiles];
  const float* of_out[most_tiles];
  int quarter[most_tiles];
  Tile sum[most_tiles];
#pragma unroll
  for (int t = 0; t < most_tiles; ++t) {
    const auto tile = weight_tile(a.of, t);
    const ClassifierLayer& layer =
        a.of.layer[tile.layer % a.of.layers];  // a tile behind the last is not stored
    in[t] = numbers + (layer.in + tile.input) * stride;
    of_out[t] = numbers + (layer.of_out + tile.output) * stride;
    quarter[t] = tiles_of(layer.outputs) * stride;
  }
  prepare(a.of, weights, numbers);
  for (auto first = static_cast<std::int64_t>(blockIdx.x) * nodes; first < a.of.nodes;
       first += static_cast<std::int64_t>(gridDim.x) * nodes) {
    __syncthreads();
    load_nodes(a.of, first, numbers);
    forward(a.of, weights, numbers);
    loss_backward(a, first, numbers);
    for (int l = a.of.layers - 1; l >= 0; --l) inputs_backward(a, l, first, weights, numbers);
#pragma unroll
    for (int t = 0; t < most_tiles; ++t)
      for (int n = 0; n < nodes; n += each)
        add_product<Sum::along_rows, Sum::along_rows>(sum[t], load(in[t] + n, stride),
                                                      load(of_out[t] + n, quarter[t]));
  }
#pragma unroll
  for (int t = 0; t < most_tiles; ++t) store(a, weight_tile(a.of, t), sum[t]);
}

/// What a pass over the nodes multiplies.
double products_of(const Classifier& a) { return static_cast<double>(a.nodes) * a.parameters; }

}  // namespace

void add_layer(Classifier& a, ClassifierLayer layer) {
  layer.parameters = a.parameters;
  layer.weights = a.weights;
  layer.length =
      (tiles_of(layer.outputs) | 1) * each;  // odd tiles: the rows of a tile lie in different banks
  layer.in = a.rows;
  layer.of_out = a.rows + input_tiles(layer) * each;
  a.parameters += layer.outputs * (layer.inputs + 1);
  a.weights += input_tiles(layer) * each * layer.length;
  a.rows = layer.of_out + tiles_of(layer.outputs) * each;
  a.layer[a.layers++] = layer;
}

int classifier_blocks(int processors) {
  int of_processor = 0;
  harness::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_processor, classifier_backward, threads, 0));
  return of_processor * processors;
}

void launch_classifier_forward(const ClassifierForward& args, cudaStream_t stream) {
  const auto count = static_cast<double>(args.of.nodes);
  const double numbers = args.of.layer[0].inputs + args.of.layer[args.of.layers - 1].outputs;
  harness::next_launch_does(count * (sizeof(float) * numbers + sizeof(std::int64_t)), products_of(args.of));
  classifier_forward<<<static_cast<unsigned>(args.of.blocks), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_classifier_loss(const ClassifierLoss& args, cudaStream_t stream) {
  harness::next_launch_does(2.0 * sizeof(float) * args.blocks);
  classifier_loss<<<1, warp, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

void launch_classifier_backward(const ClassifierBackward& args, cudaStream_t stream) {
  constexpr double passes = 3;  // forward, the gradient by the weights, the gradient by the inputs
  const auto count = static_cast<double>(args.of.nodes);
  harness::next_launch_does(count * (2.0 * sizeof(float) * args.of.layer[0].inputs + sizeof(std::int64_t)) +
                                1.0 * sizeof(float) * args.of.parameters * args.of.blocks,
                            passes * products_of(args.of));
  classifier_backward<<<static_cast<unsigned>(args.of.blocks), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
