// What is trained, as training sees it: the published model, or any of the design space.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/dataset.hpp"
#include "workloads/stgym/model/model.hpp"
#include "workloads/stgym/model/pooling.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/switches.hpp"
#include "workloads/stgym/space_model/finish.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

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

}  // namespace workloads::stgym
