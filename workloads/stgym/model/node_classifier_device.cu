// The classifier's forward pass: a warp takes a node's logits to its loss.

#include "harness/cuda/check.hpp"
#include "harness/cuda/launch_work.hpp"

#include "workloads/stgym/model/node_classifier.cuh"
#include "workloads/stgym/model/node_classifier_kernels.hpp"

namespace workloads::stgym {
namespace {

__global__ void __launch_bounds__(threads) classifier_forward(ClassifierForward a) {
  __shared__ Weights weights;
  __shared__ Nodes nodes;
  __shared__ float parts[2][threads / warp];
  const int classes = classes_of(a.of);
  const float* logits = nodes + place_of(a.of, a.of.layers).inputs;
  load_weights(a.of, weights);
  float loss = 0;
  float labels = 0;
  for (auto first = static_cast<std::int64_t>(blockIdx.x) * tile; first < a.of.nodes;
       first += static_cast<std::int64_t>(gridDim.x) * tile) {
    load_nodes(a.of, first, nodes);
    forward(a.of, weights, nodes);
    for (int n = self() / warp; n < tile; n += threads / warp) {
      const float* own = logits + n * most_classifier_numbers;
      const float sum = log_of_sum(own, classes);
      const auto label = label_of(a.of, first + n);
      if (label >= 0) loss += sum - own[label];
      if (label >= 0) labels += 1;
      for (int c = self() % warp; c < classes && first + n < a.of.nodes; c += warp)
        a.logits[(first + n) * classes + c] = own[c];
    }
    __syncthreads();
  }
  if (self() % warp == 0) {
    parts[0][self() / warp] = loss;
    parts[1][self() / warp] = labels;
  }
  __syncthreads();
  if (self() > 1) return;
  float sum = 0;
  for (int w = 0; w < threads / warp; ++w) sum += parts[self()][w];
  a.parts[2 * blockIdx.x + self()] = sum;
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

// The classifier's backward pass. The gradient by a layer's numbers takes their place, once the gradient by
// the weights behind them is made.

/// By what the last ReLU was given, in the logits' place.
__device__ void loss_backward(const ClassifierBackward& a, std::int64_t first, Nodes& nodes) {
  const int classes = classes_of(a.of);
  const float factor = *a.of_loss / *a.labels;
  for (int n = self() / warp; n < tile; n += threads / warp) {
    float* own = nodes + place_of(a.of, a.of.layers).inputs + n * most_classifier_numbers;
    const float sum = log_of_sum(own, classes);
    const auto label = label_of(a.of, first + n);
    for (int c = self() % warp; c < classes; c += warp) {
      const float gradient = label < 0 ? 0 : (expf(own[c] - sum) - (c == label ? 1.0F : 0.0F)) * factor;
      own[c] = own[c] > 0 ? gradient : 0;
    }
  }
}

/// One layer: adds to the gradient by its weights, which have the bias behind each row, and puts the one by
/// its inputs in their place, or gives it out.
__device__ void layer_backward(const ClassifierBackward& a, int l, std::int64_t first, const Weights& weights,
                               Nodes& nodes, Weights& sums) {
  const auto place = place_of(a.of, l);
  const int inputs = a.of.layer[l].inputs;
  const int outputs = a.of.layer[l].outputs;
  const int width = inputs + 1;
  float* in = nodes + place.inputs;
  const float* out = in + width;
  float* sum = sums + place.weights;
  multiply({out, 1, most_classifier_numbers}, {in, 1, most_classifier_numbers}, {outputs, width, tile},
           [&](int o, int i, float more) { sum[o * width + i] += more; });
  __syncthreads();
  multiply({out, most_classifier_numbers, 1}, {weights + place.weights, 1, width}, {tile, inputs, outputs},
           [&](int n, int i, float gradient) {
             float* number = in + n * most_classifier_numbers + i;
             if (l > 0)
               *number = *number > 0 ? gradient : 0;
             else if (first + n < a.of.nodes)
               a.of_x[(first + n) * inputs + i] = gradient;
           });
  __syncthreads();
}

/// The block's part: each weight, then its bias.
__device__ void store_sums(const ClassifierBackward& a, const Weights& sums) {
  int all = 0;
  for (int l = 0; l < a.of.layers; ++l) all += a.of.layer[l].outputs * (a.of.layer[l].inputs + 1);
  for (int l = 0; l < a.of.layers; ++l) {
    const int inputs = a.of.layer[l].inputs;
    const int outputs = a.of.layer[l].outputs;
    const int begin = place_of(a.of, l).weights;
    float* to = a.parts + static_cast<std::int64_t>(blockIdx.x) * all + begin;
    for (int i = self(); i < outputs * (inputs + 1); i += threads) {
      const bool weight = i < outputs * inputs;
      const int row = weight ? i / inputs : i - outputs * inputs;
      to[i] = sums[begin + row * (inputs + 1) + (weight ? i % inputs : inputs)];
    }
  }
}

__global__ void __launch_bounds__(threads) classifier_backward(ClassifierBackward a) {
  __shared__ Weights weights;
  __shared__ Weights sums;
  __shared__ Nodes nodes;
  load_weights(a.of, weights);
  for (int i = self(); i < most_classifier_parameters; i += threads) sums[i] = 0;
  for (auto first = static_cast<std::int64_t>(blockIdx.x) * tile; first < a.of.nodes;
       first += static_cast<std::int64_t>(gridDim.x) * tile) {
    load_nodes(a.of, first, nodes);
    forward(a.of, weights, nodes);
    loss_backward(a, first, nodes);
    __syncthreads();
    for (int l = a.of.layers - 1; l >= 0; --l) layer_backward(a, l, first, weights, nodes, sums);
  }
  __syncthreads();
  store_sums(a, sums);
}

}  // namespace

void launch_classifier_forward(const ClassifierForward& args, cudaStream_t stream) {
  const auto nodes = static_cast<double>(args.of.nodes);
  const double numbers = args.of.layer[0].inputs + args.of.layer[args.of.layers - 1].outputs;
  harness::next_launch_does(nodes * (sizeof(float) * numbers + sizeof(std::int64_t)),
                            nodes * static_cast<double>(parameters_of(args.of)));
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
  const auto nodes = static_cast<double>(args.of.nodes);
  const auto parameters = static_cast<double>(parameters_of(args.of));
  harness::next_launch_does(nodes * (2.0 * sizeof(float) * args.of.layer[0].inputs + sizeof(std::int64_t)) +
                                sizeof(float) * parameters * args.of.blocks,
                            passes * nodes * parameters);
  classifier_backward<<<static_cast<unsigned>(args.of.blocks), threads, 0, stream>>>(args);
  harness::check(cudaGetLastError());
}

}  // namespace workloads::stgym
