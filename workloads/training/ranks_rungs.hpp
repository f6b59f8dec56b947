// The rungs that train in several processes: each one's lesson, and its record but for what the model says.
#pragma once

#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

// Each rank holds the whole model and reads its own shard of the batch. Its backward pass gives the shard's
// gradients; DistributedDataParallel exchanges them in buckets while that pass runs, and all ranks take the
// same step with the mean. The exchange is the same at any batch, and the arithmetic is divided among the
// ranks: the longer a step is, the less the exchange matters.
//
// A mean over the ranks of means over equal shards is the mean over the batch, so that the losses are those
// of one process to the last digits of their format. A network with batch norms differs: they take each
// rank's samples by themselves, and no rank has the mean and variance of the whole batch. What ranks compute
// then is what one process computes that trains the batch in as many parts as there are ranks, and that is
// the first side. Equal sums over the batch would take an exchange in each of these layers (PyTorch's
// SyncBatchNorm). Before each forward pass rank 0's running statistics go to all ranks.
//
// When it hurts: if the exchange takes longer than the arithmetic that the other ranks take over, or takes
// that arithmetic's processor. Over Gloo on one machine both are work of the same processors.
//
// On the first side rank 0 trains the batch on its own processors while the others wait; on the second all
// ranks train their shards. `--ranks` says how many.
//
// The row is a training step with the kept rungs, without clipping, and without `transform_ahead` where the
// model has that, so that a rank reads no other samples than its own.
//
// Answer: With a step of t and an exchange of s that does not hide, t / (t + 2s). Much is left where a step
// is long for its parameters, little where parameters are many and batches small; on one machine the ranks
// also share its processors.
constexpr harness::Step ddp_step(const OwnRecord& own) {
  return ranks_step(own, ddp_notes("Internal Design"));
}

// Gradients of the parts add up on each rank, and the mean over ranks of a sum is the sum of the means: it is
// the same whether it is taken after each part or once after the last. So one exchange takes the place of
// two, and one broadcast of rank 0's running statistics, where a network has any. PyTorch's `no_sync()`
// leaves the exchange out of a backward pass; see parallel/no_sync for 2 to 8 parts.
//
// Batch norms take each part of each rank by itself. A network that has some is held against one process that
// trains the batch in as many parts as all ranks have together.
//
// When it does not matter: if the exchange hides behind the backward pass anyway. What it costs: nothing but
// care, since gradients that are not yet exchanged differ between the ranks; clip and read them after the
// last part.
//
// On the first side both parts exchange gradients, on the second only the last one does.
//
// The row is a training step on twice the workload's batch, in two parts on each rank, with the kept rungs,
// without clipping, and without `transform_ahead` where the model has that.
//
// Answer: Half of all exchanges: the first part's exchange is as large as the second's, and both send all
// gradients. Of the step it is that part of the exchange that no backward pass hides.
constexpr harness::Step ddp_no_sync_step(const OwnRecord& own) {
  auto step = ranks_step(own, ddp_api("no_sync"));
  step.expectation.outcome = harness::Outcome::helps;
  step.expectation.on_cpu = harness::Outcome::helps;
  return step;
}

// A bucket is one all-reduce: it pays the fixed part of a message once for all gradients in it. PyTorch's
// default is 25 MiB. Gradients that need several buckets have one advantage more: all but the last bucket can
// start while the backward pass still runs. See parallel/bucket_size for the sizes in between, and `tuneproof
// prices` for what a message costs here (collective/all_reduce).
//
// When it does not matter: if every gradient is so large that bytes are all that counts. When large buckets
// hurt: on a slow link with a long backward pass, where the last bucket's exchange stands alone at the end.
//
// On the first side LibTorch's Reducer has a bucket for each gradient; on the second it closes a bucket that
// has reached 25 MiB.
//
// The row is a training step, a shard on each rank, with the kept rungs, without clipping, and without
// `transform_ahead` where the model has that.
//
// Answer: The fixed part of a message for each gradient but a few: 1.2 to 1.9 ms for an all-reduce over the
// loopback of our two cores (docs/parallel.md, commit cfcca76). It shows where gradients are many and small;
// bytes cost the same either way.
constexpr harness::Step ddp_buckets_step(const OwnRecord& own) {
  auto step = ranks_step(own, ddp_api("bucket_cap_mb"));
  step.expectation.outcome = harness::Outcome::helps;
  return step;
}

}  // namespace workloads::training
