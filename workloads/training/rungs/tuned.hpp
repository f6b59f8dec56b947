// A search takes batch size, learning rate, loader, threads and precision together, since each changes what
// the others bring: a larger batch needs another rate, and leaves a loader more time. The lowest
// of many noisy times is partly lucky, so what a search claims overstates the gain. This row
// measures the claim: the standard settings against those in --config, in fresh processes, judged like any
// other tip.
//
// When it does not matter: where the claim was far larger than the noise. Then the row agrees with the
// search. When settings change the batch, the learning rate or the format, the training ends elsewhere: the
// validation losses of both, on seeds that no trial has used, stand beside the times.
//
// Answer: Part of it: the lowest of forty noisy times is partly lucky, so the claim overstates. What is left
// is what this row measures in fresh processes; where the claim is far above the noise, nearly all of it.
#pragma once

#include "workloads/training/rung_step.hpp"
#include "workloads/training/tuned.hpp"

namespace workloads::training {

constexpr harness::Step tuned_step(const OwnRecord& own) {
  auto step = rung_step(
      own,
      {.title = "Akiba et al., Optuna: A Next-generation Hyperparameter Optimization Framework, KDD 2019",
       .url = "https://arxiv.org/abs/1907.10902",
       .where = "the framework; the question is ours"});
  step.axes = setting_axis;
  step.tolerance = own.tolerance;
  step.suite = harness::Suite::full;
  return step;
}

}  // namespace workloads::training
