// The classifier of nodes and its loss in one pass each way: plain pointers and sizes, no LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

constexpr int most_classifier_layers = 4;
constexpr int most_classifier_parameters = 4800;  // of all layers, biases too: they lie in shared memory
constexpr int most_classifier_numbers = 160;  // of a node: every layer's inputs, the classes, a 1 behind each

/// y = max(0, W x + b).
struct ClassifierLayer {
  const float* weight = nullptr;  // [outputs, inputs]
  const float* bias = nullptr;    // [outputs]
  int inputs = 0, outputs = 0;
};

struct Classifier {
  ClassifierLayer layer[most_classifier_layers];
  int layers = 0;
  std::int64_t nodes = 0;
  const float* x = nullptr;              // [N, inputs of the first layer]
  const std::int64_t* labels = nullptr;  // [N]; below 0: no label
  int blocks = 1;
};

struct ClassifierForward {
  Classifier of;
  float* logits = nullptr;  // [N, classes]
  float* parts = nullptr;   // [blocks, 2]: negative log-likelihoods, and how many labels
};

/// Weights and biases of all layers.
inline std::int64_t parameters_of(const Classifier& a) {
  std::int64_t all = 0;
  for (int l = 0; l < a.layers; ++l) all += std::int64_t{a.layer[l].outputs} * (a.layer[l].inputs + 1);
  return all;
}

/// The mean of the parts.
struct ClassifierLoss {
  const float* parts = nullptr;
  int blocks = 1;
  float* loss = nullptr;    // scalar
  float* labels = nullptr;  // scalar: how many
};

struct ClassifierBackward {
  Classifier of;
  const float* of_loss = nullptr;  // scalar
  const float* labels = nullptr;   // scalar
  float* of_x = nullptr;           // [N, inputs of the first layer]
  /// [blocks, parameters]: one layer behind the other, each weight before its bias.
  float* parts = nullptr;
};

void launch_classifier_forward(const ClassifierForward& args, cudaStream_t stream);
void launch_classifier_loss(const ClassifierLoss& args, cudaStream_t stream);
void launch_classifier_backward(const ClassifierBackward& args, cudaStream_t stream);

}  // namespace workloads::stgym
