// What a sample goes through on the way to the network is repeated in every epoch, sample by sample, with a
// handful of small operators each. Done once, a batch is rows copied out of one tensor.
//
// What it costs: memory for all samples as the network wants them, here FP32 instead of bytes, and no random
// augmentation. When it does not matter: where the network takes much longer than its samples, as large
// networks do.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step transform_ahead_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, torch.utils.data",
                              .url = "https://docs.pytorch.org/docs/stable/data.html",
                              .where = "Map-style datasets"});
  step.cuda_tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
