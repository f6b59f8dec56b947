// The training step as one compiled function: what stgym/compiled switches to.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/training/compiled_step.hpp"

namespace workloads::stgym {

/// Forward, backward and Adam's step of the published node classifier. It has Adam's moments; the parameters
/// stay the learner's.
class CompiledStep {
 public:
  /// Makes the package, for batches of any size, or finds it; `sample` is any batch. Throws harness::Skip
  /// where nothing can be compiled.
  CompiledStep(const NamedTensors& parameters, const space::OptimizerConfig& optimizer, const Batch& sample);

  /// Trains the batch; gives its loss.
  at::Tensor operator()(const Batch& batch) const { return step_(inputs(batch)); }
  /// The same without any effect.
  void rehearse(const Batch& batch) const { step_.rehearse(inputs(batch)); }
  /// Adam's moments back to 0, and its steps.
  void reset() { step_.reset(); }
  double compile_seconds() const { return step_.compile_seconds(); }

 private:
  std::vector<at::Tensor> inputs(const Batch& batch) const;

  at::Tensor settings_;  // rate and weight decay
  training::CompiledStep step_;
};

}  // namespace workloads::stgym
