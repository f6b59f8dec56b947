// Zeroing writes every gradient, and the backward pass then reads it, adds to it and writes it again. Without
// a gradient the backward pass stores its result and adds nothing.
//
// When it does not matter: where parameters are few, or where the backward pass takes far longer than passes
// over the parameters. Dropped memory must also be given out again, which an allocator that keeps freed
// blocks does quickly.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step gradients_to_none_step(const OwnRecord& own) {
  auto step = rung_step(
      own, tuning_guide("Use parameter.grad = None instead of model.zero_grad() or optimizer.zero_grad()"));
  step.cuda_tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
