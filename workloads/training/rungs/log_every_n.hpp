// To print the loss the host needs its value. On a device it waits until all queued work is done, and while
// it then queues the next step the device idles. Each line is also formatted and written.
//
// When it does not matter: on a CPU nothing is queued, so only the line itself is saved.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step log_every_n_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("Avoid unnecessary CPU-GPU synchronization"));
  step.cuda_tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
