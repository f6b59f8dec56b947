// STGym's classifiers: one GIN layer, MinCut pooling, an MLP. Parameters carry PyTorch's names.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/model/pooling.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/training/host_products.hpp"

namespace workloads::stgym {

/// Task::node_classification: each node, from its soft cluster. Task::graph_classification: each graph in two
/// classes, from the mean over its pooled nodes.
struct ModelShape {
  std::int64_t features = 2000;
  std::int64_t hidden = 128;
  std::int64_t clusters = 20;
  std::int64_t classes = 39;  // Task::graph_classification: 1, the logit of "yes"
  std::vector<std::int64_t> post_hidden = {64, 32};
  Task task = Task::node_classification;
};

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

struct Losses {
  at::Tensor total;  // sum of the three
  at::Tensor label;  // NLL of the nodes, or binary cross entropy of the graphs
  at::Tensor mincut;
  at::Tensor ortho;
};

struct Prediction {
  at::Tensor logits;  // [N, classes], or [B] for graphs
  Pooled pooled;
  at::Tensor label_loss;  // scalar, where fused_classifier has made it
};

/// y = x W' + b, as torch.nn.Linear.
struct Linear {
  at::Tensor weight;                                  // [out, in]
  at::Tensor bias;                                    // [out]
  std::optional<training::Libraries> libraries = {};  // that a probe found faster
  at::Tensor operator()(const at::Tensor& x) const;
};

class Model {
 public:
  /// Parameters drawn as torch.nn.Linear draws them, from `seed`; the same values on every device. Without
  /// `libraries` Switches::probed_products changes nothing.
  Model(const ModelShape& shape, std::uint64_t seed, at::Device device,
        const training::LibrariesOf& libraries = {});

  Prediction forward(const Batch& batch, const Switches& switches);
  Losses losses(const Prediction& prediction, const Batch& batch) const;

  /// All parameters, in PyTorch's order and under its names. The tensors are the model's own.
  NamedTensors parameters() const;
  /// Copies values into the parameters of the same names. Throws std::invalid_argument where one is missing.
  void assign(const NamedTensors& values);
  /// What the forward passes so far have made on the host for the device.
  const HostIndices& host_indices() const { return host_indices_; }

 private:
  at::Tensor sum_of_neighbours(const at::Tensor& y, const Batch& batch, const Switches& switches) const;
  at::Tensor gin(const Batch& batch, const Switches& switches) const;
  at::Tensor classify(at::Tensor x, const Switches& switches) const;
  Prediction classify_nodes(const at::Tensor& s, const Batch& batch, Pooled pooled,
                            const Switches& switches) const;

  ModelShape shape_;
  Linear gin_first_, gin_second_, assignment_;
  at::Tensor gin_eps_;  // [1]: 0
  std::vector<Linear> post_;
  std::vector<at::Tensor> post_slopes_;  // Task::graph_classification: PReLU, one slope a layer
  HostIndices host_indices_;
};

}  // namespace workloads::stgym
