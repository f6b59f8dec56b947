// LibTorch's C++ AdamW goes from parameter to parameter with about ten operators for each, and each of them
// is a pass over memory. The fused operator reads value, gradient and moments once and writes what changed.
//
// When it does not matter: where forward and backward take nearly all of the time, as with large batches: the
// optimizer's work does not grow with them.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step fused_optimizer_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, torch.optim.AdamW",
                              .url = "https://docs.pytorch.org/docs/stable/generated/torch.optim.AdamW.html",
                              .where = "fused"});
  step.tolerance = other_order_of(own);
  step.cuda_tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
