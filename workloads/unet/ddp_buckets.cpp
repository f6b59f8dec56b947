// Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
//
// Question: The U-Net has 64 gradients, 118 MiB together. What do 64 exchanges cost that a few would not?
//
// A bucket is one all-reduce: it pays the fixed part of a message once for all gradients in it. 41 of the
// gradients belong to norms and biases and have at most 1024 values: such a message takes hardly longer than
// an empty one. The largest kernel alone has 36 MiB and is a bucket by itself; the small ones travel with
// their neighbours. See parallel/bucket_size for the sizes in between, and `tuneproof prices` for what a
// message costs here (collective/all_reduce).
//
// When it does not matter: if every gradient is so large that bytes are all that counts. When large buckets
// hurt: on a slow link behind a long backward pass, where the last bucket's exchange stands alone at the end.
//
// The row is a training step on a batch of 4 images of 32 x 32, a shard on each rank, with the kept rungs but
// `transform_ahead` and without clipping. In the naive form LibTorch's Reducer has a bucket for each
// gradient, in the optimized form buckets of 25 MiB at most.

#include "workloads/training/ranks_trial.hpp"
#include "workloads/unet/rung.hpp"

namespace workloads::unet_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, unet::job, training::ddp_buckets);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/ddp_buckets",
    .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of the U-Net.",
    .source = training::ddp_api("bucket_cap_mb"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 180,
    .full_only = true,
});

}  // namespace workloads::unet_ddp_buckets
