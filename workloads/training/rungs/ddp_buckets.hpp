// A bucket is one all-reduce: it pays the fixed part of a message once for all gradients in it. PyTorch's
// default is 25 MiB. Gradients that need several buckets have one advantage more: all but the last bucket can
// start while the backward pass still runs. See parallel/bucket_size for the sizes in between, and `tuneproof
// prices` for what a message costs here (collective/all_reduce).
//
// When it does not matter: if every gradient is so large that bytes are all that counts. When large buckets
// hurt: on a slow link behind a long backward pass, where the last bucket's exchange stands alone at the end.
//
// In the naive form LibTorch's Reducer has a bucket for each gradient, in the optimized form buckets of
// 25 MiB at most.
#pragma once

#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step ddp_buckets_step(const OwnRecord& own) {
  auto step = ranks_step(own, ddp_api("bucket_cap_mb"));
  step.expectation.outcome = harness::Outcome::helps;
  return step;
}

}  // namespace workloads::training
