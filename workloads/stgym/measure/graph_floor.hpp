// The bytes that any form of STGym must move, and the arithmetic that any form must do.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/training/floor.hpp"

#include <cstdint>
#include <vector>

namespace workloads::stgym {

using training::float_bytes;
using training::Rates;
using training::Work;

/// Forward, backward and Adam on n nodes, in FP32. The weight's gradient needs what the whole forward pass
/// gives, so x is read twice; what the backward pass reads of the activations is written once and read once;
/// Adam reads value, gradient and moments, and writes all but the gradient, which is written before.
Work training_work(const ModelShape& shape, double nodes);

/// Forward only: x is read once.
Work prediction_work(const ModelShape& shape, double nodes);

/// Features and labels of n nodes come over the link.
Work link_work(const ModelShape& shape, double nodes);

/// What a unit of the trainer's needs; a step is that of the batch that figures count, nearly a mean one.
Work work_of(const Trainer& trainer, TimedUnit unit);

/// The floors of both forms' step, validation pass or epoch.
std::vector<harness::Figure> floor_figures(const Trainer& naive, const Trainer& optimized, TimedUnit unit,
                                           const Rates& rates);

}  // namespace workloads::stgym
