// Each rank holds the whole model and reads its own shard of the batch. Its backward pass gives the shard's
// gradients; DistributedDataParallel exchanges them in buckets while that pass runs, and all ranks take the
// same step with the mean. The exchange is the same at any batch, and the arithmetic is divided among the
// ranks: the longer a step is, the less the exchange matters.
//
// A mean over the ranks of means over equal shards is the mean over the batch, so that the losses are those
// of one process to the last digits of their format. A network with batch norms differs: they take each
// rank's samples by themselves, and no rank has the mean and variance of the whole batch. What ranks compute
// then is what one process computes that trains the batch in as many parts as there are ranks, and that is
// the naive form. Equal sums over the batch would take an exchange in each of these layers (PyTorch's
// SyncBatchNorm). Before each forward pass rank 0's running statistics go to all ranks.
//
// When it hurts: if the exchange takes longer than the arithmetic that the other ranks take over, or takes
// that arithmetic's processor. Over Gloo on one machine both are work of the same processors.
//
// In the naive form rank 0 trains the batch on its own processors while the others wait; in the optimized
// form all ranks train their shards. `--ranks` says how many.
#pragma once

#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step ddp_step(const OwnRecord& own) {
  return ranks_step(own, ddp_notes("Internal Design"));
}

}  // namespace workloads::training
