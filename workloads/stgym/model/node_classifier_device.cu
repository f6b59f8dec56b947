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

}  // namespace workloads::stgym
