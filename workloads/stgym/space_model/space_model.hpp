// Any model of STGym's design space: message-passing layers with or without pooling, a readout, a classifier.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/pooling.hpp"
#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/space_model/layers.hpp"

namespace workloads::stgym::space {

/// What a model is built for.
struct ModelSetup {
  std::int64_t features = 0;
  std::int64_t classes = 0;                                     // of nodes or graphs; a clustering needs none
  std::uint64_t seed = 0;                                       // of first parameters and dropout
  at::TensorOptions placement = at::TensorOptions(at::kFloat);  // device and type
  training::LibrariesOf libraries = {};                         // for Switches::probed_products
};

/// N nodes, B graphs, K clusters.
struct Prediction {
  /// Classification: logits, [N, classes] of nodes, [B, classes] of graphs, [B] of graphs in two classes (the
  /// logit of class 1). Clustering: [N, K], each node's share in the clusters.
  at::Tensor scores;
  /// The losses of the poolings by STGym's names (mincut_loss, ortho_loss, spectral_loss, cluster_loss), each
  /// added up over the layers. Empty without pooling.
  NamedTensors pooling_losses;
};

struct Losses {
  at::Tensor total;  // the sum of all others
  at::Tensor label;  // cross entropy, binary for graphs in two classes; undefined for a clustering
  NamedTensors pooling;
};

class Model {
 public:
  /// Parameters drawn as PyTorch Geometric's modules draw them, the same on every device. Throws
  /// std::invalid_argument where the configuration's parts do not fit together.
  Model(const Configuration& configuration, const ModelSetup& setup);

  /// In training, batch norms learn running statistics and dropout draws anew, also where no gradient is
  /// asked for.
  Prediction forward(const Batch& batch, const Switches& switches, Mode mode = Mode::training);
  /// `batch.y`: [N] int64, or [B] where graphs are classified; not read for a clustering.
  Losses losses(const Prediction& prediction, const Batch& batch) const;

  /// All parameters in PyTorch's order and under its names. The tensors are the model's own.
  NamedTensors parameters() const;
  /// Running means and variances, likewise.
  NamedTensors buffers() const;
  /// Copies values into the parameters of the same names. Throws std::invalid_argument where one is missing.
  void assign(const NamedTensors& values);
  /// Back to the state after construction: parameters, running statistics, dropout.
  void reset();
  /// What the forward passes so far have made on the host for the device.
  const HostIndices& host_indices() const { return host_indices_; }

 private:
  struct Assignment {
    Linear linear;
    Pooling pooling;
  };
  struct Layer {
    Convolution convolution;
    Finish finish;
    std::optional<Assignment> assignment;
  };
  struct PostLayer {
    Linear linear;
    Finish finish;
  };
  struct Graph;

  void build_layers(const ModelConfig& config, const ModelSetup& setup);
  void pool_nodes(const Layer& layer, const Switches& switches, Graph& graph, Prediction& out);
  NamedTensors copy_of_state() const;
  at::Tensor classify(at::Tensor x, const Switches& switches, Mode mode);

  TaskType task_;
  Readout readout_;
  bool two_classes_;
  std::vector<Layer> layers_;
  std::vector<PostLayer> post_;
  NamedTensors start_;  // parameters and buffers
  std::uint64_t seed_;
  at::Generator random_;  // dropout's: two models with one seed drop the same, whatever else draws
  HostIndices host_indices_;
};

}  // namespace workloads::stgym::space
