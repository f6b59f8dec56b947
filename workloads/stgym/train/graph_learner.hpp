// What is trained, as training sees it: the published model, or any of the design space; and how good its
// predictions are.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/model/pooling.hpp"
#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/space_model/layers.hpp"

namespace workloads::stgym {

class Learner {
 public:
  struct Outcome {
    at::Tensor scores;  // [n, classes or clusters], or [B] logits of graphs in two classes
    at::Tensor loss;    // the sum of all losses
    at::Tensor label;   // the part of it that labels make; undefined for a clustering
  };

  virtual ~Learner() = default;
  virtual Outcome forward(const Batch& batch, const Switches& switches, space::Mode mode) = 0;
  /// The model's own tensors.
  virtual NamedTensors parameters() const = 0;
  /// Back to the state after construction.
  virtual void reset() = 0;
  virtual const HostIndices& host_indices() const = 0;
};

/// Where parameters come from, and where they lie.
struct LearnerSetup {
  std::uint64_t seed = 0;
  at::Device device;
  training::LibrariesOf libraries = {};
};

/// The shape of the published model that the configuration asks for; it must have the published shape.
ModelShape published_shape(const space::Configuration& configuration, const Dataset& dataset);

/// The model of a configuration for a data set. Where it has the published shape it is the published one, of
/// which every rung has both forms.
std::unique_ptr<Learner> make_learner(const space::Configuration& configuration, const Dataset& dataset,
                                      const LearnerSetup& setup);

/// What is trained on a data set where no configuration says otherwise: the published benchmark, or its model
/// behind a classifier of graphs.
space::Configuration standard_configuration(const Dataset& dataset);

struct Metric {
  std::string_view name;
  std::string_view unit;
  double value = 0;  // NaN where the labels do not define it, as ROC-AUC of one class alone
};

/// All on the host.
struct Scores {
  at::Tensor scores;                // [n, classes or clusters], or [n] logits where graphs have two classes
  at::Tensor labels;                // [n] int64
  std::vector<std::int64_t> sizes;  // nodes of each graph, in order
  double loss = 0;                  // mean over the batches
  /// Nodes: accuracy, micro-F1. Graphs: these and ROC-AUC. Clusters: NMI and ARI, per graph, averaged.
  std::vector<Metric> metrics;

  /// The value of a metric; throws std::out_of_range where there is none of the name.
  double operator[](std::string_view metric) const;
};

/// Gives one batch after the other, then nothing.
using NextBatch = std::function<std::optional<Batch>()>;

/// Predicts every batch that there still is and compares with its labels.
Scores evaluate(Learner& learner, const NextBatch& next, const Switches& switches, space::TaskType task);

}  // namespace workloads::stgym
