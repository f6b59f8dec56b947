// How fast a step could be at best: bytes that any form must move and arithmetic that any form must do, over
// what this machine can do of both.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include "workloads/stgym/measure/rates.hpp"
#include "workloads/stgym/model/model.hpp"
#include "workloads/stgym/train/trainer.hpp"
#include "workloads/stgym/trial.hpp"

#include <cstdint>
#include <vector>

namespace workloads::stgym {

struct Work {
  double bytes = 0;
  double flop = 0;
  double link_bytes = 0;  // from the host to the device, where the data lie on the host
};
Work operator+(const Work& a, const Work& b);

/// Forward, backward and Adam on n nodes, in FP32. The weight's gradient needs what the whole forward pass
/// gives, so x is read twice; what the backward pass reads of the activations is written once and read once;
/// Adam reads value, gradient and moments, and writes all but the gradient, which is written before.
Work training_work(const ModelShape& shape, double nodes);

/// Forward only: x is read once.
Work prediction_work(const ModelShape& shape, double nodes);

/// Features and labels of n nodes come over the link.
Work link_work(const ModelShape& shape, double nodes);

/// What takes longest; copies, arithmetic and the link can go on at the same time.
double floor_seconds(const Work& work, const Rates& rates);

/// What a unit of the trainer's needs; a step is that of a mean batch.
Work work_of(const Trainer& trainer, TimedUnit unit);

/// The floors of both forms' step, validation pass or epoch, as figures beside a row's times. The last one,
/// "floor", is what the table gives the distance to.
std::vector<harness::Figure> floor_figures(const Trainer& naive, const Trainer& optimized, TimedUnit unit,
                                           const Rates& rates);

}  // namespace workloads::stgym
