// The classifier of nodes and its loss in one pass each way: plain pointers and sizes, no LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

constexpr int most_classifier_layers = 4;
// What a block has in shared memory, and for each of its threads 3 tiles of the weights' gradients.
constexpr int most_classifier_weights = 5760;  // numbers of all layers, biases too, each layer's padded
constexpr int most_classifier_rows = 272;      // of the nodes' numbers, each layer's padded

/// y = max(0, W x + b).
struct ClassifierLayer {
  const float* weight = nullptr;  // [outputs, inputs]
  const float* bias = nullptr;    // [outputs]
  int inputs = 0, outputs = 0;
  // add_layer says where it begins: in all parameters, in the shared weights, whose rows are so long, and
  // among the rows its inputs and the gradients by its results.
  int parameters = 0, weights = 0, length = 0, in = 0, of_out = 0;
};

struct Classifier {
  ClassifierLayer layer[most_classifier_layers];
  int layers = 0, parameters = 0, weights = 0, rows = 0;
  std::int64_t nodes = 0;
  const float* x = nullptr;              // [N, inputs of the first layer]
  const std::int64_t* labels = nullptr;  // [N]; below 0: no label
  int blocks = 1;
};

void add_layer(Classifier& a, ClassifierLayer layer);

/// As many as a device of so many multiprocessors holds at a time, whatever the work: so the bytes of a
/// launch lie on a line over the nodes, which simulate needs.
int classifier_blocks(int processors);

struct ClassifierForward {
  Classifier of;
  float* logits = nullptr;  // [N, classes]
  float* parts = nullptr;   // [blocks, 2]: negative log-likelihoods, and how many labels
};

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
