// Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
//
// Question: The GPT has 52 gradients, 3 MiB together. What do 52 exchanges cost that a few would not?
//
// Lesson: workloads/training/rungs/ddp_buckets.hpp
//
// All of this model's gradients fit into one bucket. So there is one message instead of 52, but it can start
// only when the backward pass is over: nothing of it hides.
//
// The row is a training step on a batch of 16 pieces of 64 characters, a shard on each rank, with the kept
// rungs but `transform_ahead` and without clipping.

#include "workloads/training/rungs/ddp_buckets.hpp"

#include "workloads/gpt/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::gpt_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, gpt::job, training::ddp_buckets, gpt::other_order);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_buckets_step({
    .id = "gpt/ddp_buckets",
    .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_ddp_buckets
