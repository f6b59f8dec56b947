// Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
//
// Question: The GPT has 52 gradients, 3 MiB together. What do 52 exchanges cost that a few would not?
//
// A bucket is one all-reduce: it pays the fixed part of a message once for all gradients in it. All of this
// model's gradients fit into one bucket of 25 MiB, PyTorch's default. So there is one message instead of 52,
// but it can start only when the backward pass is over: nothing of it hides. See parallel/bucket_size for the
// sizes in between, and `tuneproof prices` for what a message costs here (collective/all_reduce).
//
// When it does not matter: if every gradient is so large that bytes are all that counts. When large buckets
// hurt: on a slow link behind a long backward pass, where the last bucket's exchange stands alone at the end.
//
// The row is a training step on a batch of 16 pieces of 64 characters, a shard on each rank, with the kept
// rungs but `transform_ahead` and without clipping. In the naive form LibTorch's Reducer has a bucket for
// each gradient, in the optimized form buckets of 25 MiB at most.

#include "workloads/gpt/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::gpt_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, gpt::job, training::ddp_buckets);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/ddp_buckets",
    .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of the GPT.",
    .source = training::ddp_api("bucket_cap_mb"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_ddp_buckets
