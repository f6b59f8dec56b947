// Exchange gradients in a bucket of 25 MiB, instead of each gradient by itself.
//
// Question: STGym's model has 12 gradients, 1.1 MiB together, and all but two are smaller than 11 KiB. What
// do 12 exchanges cost that one would not?
//
// A bucket is one all-reduce: it pays the fixed part of a message once for all gradients in it. Ten of these
// gradients are so small that the fixed part is nearly all they cost. The first layer's, 1 MiB, comes last in
// the backward pass, so that there is nothing for it to hide behind in either form. `tuneproof prices` shows
// what a message costs here (collective/all_reduce).
//
// When it does not matter: if every gradient is so large that bytes are all that counts. When large buckets
// hurt: on a slow link behind a long backward pass, where the last bucket's exchange stands alone at the end.
//
// The row is a training step of the published model with every kept change on 16 graphs, a share of them on
// each rank. In the naive form LibTorch's Reducer has a bucket for each gradient, in the optimized form one
// of 25 MiB at most.

#include "workloads/stgym/ranks_trial.hpp"

namespace workloads::stgym_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return stgym::ranks_trial(setup, training::ddp_buckets);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "stgym/ddp_buckets",
    .claim = "Gradients that are exchanged in a bucket of 25 MiB shorten STGym's training step.",
    .source = training::ddp_api("bucket_cap_mb"),
    .runs = Runs::session,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
    .tolerance = stgym::other_shares,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 20,
    .full_only = true,
});

}  // namespace workloads::stgym_ddp_buckets
