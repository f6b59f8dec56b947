// Workers overlap what a sample goes through with the network's step. On a device the host's cores are mostly
// free for that. On a CPU the workers take cores that the network would use, so that the overlap gains only
// what was not parallel before.
//
// When it hurts: where samples are quick to make and the network needs all cores. What it costs: a start of
// the threads in each epoch, which the row includes, and batches that wait in memory. On the CPU the row
// takes a quarter of the samples, so that this start weighs more than in a whole epoch.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step workers_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Enable asynchronous data loading and augmentation"));
  step.axes = epoch_axes;
  step.cuda_tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
