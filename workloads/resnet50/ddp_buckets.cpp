// Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
//
// Question: ResNet-50 has 161 gradients, 90 MiB together. What do 161 exchanges cost that a few would not?
//
// A bucket is one all-reduce: it pays the fixed part of a message once for all gradients in it. 106 of the
// gradients belong to batch norms and have 64 to 2048 values: a message of 8 KiB takes hardly longer than an
// empty one, so that they cost their number. 25 MiB, PyTorch's default, makes a handful of buckets, of which
// all but the last can start while the backward pass still runs. See parallel/bucket_size for the sizes in
// between, and `tuneproof prices` for what a message costs here (collective/all_reduce).
//
// When it does not matter: if every gradient is so large that bytes are all that counts. When large buckets
// hurt: on a slow link behind a long backward pass, where the last bucket's exchange stands alone at the end.
//
// The row is a training step on a batch of 8 images of 64 x 64, a shard on each rank, with the kept rungs but
// `transform_ahead` and without clipping. In the naive form LibTorch's Reducer has a bucket for each
// gradient, in the optimized form buckets of 25 MiB at most.

#include "workloads/resnet50/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::resnet50_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, resnet50::job, training::ddp_buckets);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/ddp_buckets",
    .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of ResNet-50.",
    .source = training::ddp_api("bucket_cap_mb"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 180,
    .full_only = true,
});

}  // namespace workloads::resnet50_ddp_buckets
