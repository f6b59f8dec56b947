// Train each batch on several ranks, a shard on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 16 pieces of text and exchange 3 MiB of gradients. Which part of a
// twofold speed-up is left of a training step of the GPT?
//
// Each rank holds the whole model and reads its own shard of the batch. Its backward pass gives the shard's
// gradients; DistributedDataParallel exchanges them in buckets while that pass runs, and all ranks take the
// same step with the mean.
//
// The exchange is the same at any batch: 3 MiB of gradients a step, once around the ring. The arithmetic
// divides by the number of ranks. So what is lost is small where a step is long, as with more or longer
// pieces of text, and the losses are those of one process to the last digits of their format: a mean over the
// ranks of means over equal shards is the mean over the batch.
//
// When it hurts: if the exchange takes longer than the arithmetic that the other ranks take over, or takes
// that arithmetic's processor. Over Gloo on one machine both are work of the same processors.
//
// The row is a training step on a batch of 16 pieces of 64 characters with the kept rungs but
// `transform_ahead`, so that a rank reads no other samples than its own, and without clipping. In the naive
// form rank 0 trains the batch on its own processors while the others wait; in the optimized form all ranks
// train their shards. `--ranks` says how many.

#include "workloads/gpt/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::gpt_ddp {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, gpt::job, training::ddp);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/ddp",
    .claim = "Ranks that share each batch take a training step of the GPT sooner than one rank alone.",
    .source = training::ddp_notes("Internal Design"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_ddp
