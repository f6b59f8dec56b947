// With benchmark mode on, the first call with a shape runs every algorithm that fits into memory, and the
// fastest serves all later calls with that shape. A training with batches of one size has few shapes, so the
// trial is paid for once.
//
// When it hurts: where sizes change from batch to batch, since each new one is tried out. When it does not
// matter: where the rule of thumb was right, and on the CPU, which has no cuDNN; the row is skipped there.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step cudnn_benchmark_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Enable cuDNN auto-tuner"));
  step.tolerance = harness::Tolerance{
      .relative = 1e-2, .why = "cuDNN's algorithms add in another order, some by Winograd's scheme"};
  return step;
}

}  // namespace workloads::training
