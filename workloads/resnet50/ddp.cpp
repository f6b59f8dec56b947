// Train each batch on several ranks, a shard on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 8 images and exchange 90 MiB of gradients. Which part of a twofold
// speed-up is left of a training step of ResNet-50?
//
// Each rank holds the whole model and reads its own shard of the batch. Its backward pass gives the shard's
// gradients; DistributedDataParallel exchanges them in buckets while that pass runs, and all ranks take the
// same step with the mean.
//
// The exchange is the same at any batch: 90 MiB of gradients a step, which is nearly all of the model. Images
// of 64 x 64 give little work for so many parameters; on images of 224 x 224 each parameter is used about
// twelve times as often, and the same bytes hide more easily.
//
// Batch norms take each rank's images by themselves, so that no rank has the mean and variance of the whole
// batch. What ranks compute is what one process computes that trains the batch in as many parts as there are
// ranks; that is the naive form here. Equal sums over a batch's images would take an exchange in each of
// these layers (PyTorch's SyncBatchNorm). Before each forward pass rank 0's running statistics go to all
// ranks.
//
// When it hurts: if the exchange takes longer than the arithmetic that the other ranks take over, or takes
// that arithmetic's processor. Over Gloo on one machine both are work of the same processors.
//
// The row is a training step on a batch of 8 images of 64 x 64 with the kept rungs but `transform_ahead`, so
// that a rank reads no other samples than its own, and without clipping. In the naive form rank 0 trains the
// batch on its own processors while the others wait; in the optimized form all ranks train their shards.
// `--ranks` says how many.

#include "workloads/resnet50/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::resnet50_ddp {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, resnet50::job, training::ddp);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/ddp",
    .claim = "Ranks that share each batch take a training step of ResNet-50 sooner than one rank alone.",
    .source = training::ddp_notes("Internal Design"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 120,
    .full_only = true,
});

}  // namespace workloads::resnet50_ddp
