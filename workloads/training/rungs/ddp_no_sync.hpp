// Gradients of the parts add up on each rank, and the mean over ranks of a sum is the sum of the means: it is
// the same whether it is taken behind each part or once behind the last. So one exchange takes the place of
// two, and one broadcast of rank 0's running statistics, where a network has any. PyTorch's `no_sync()`
// leaves the exchange out of a backward pass; see parallel/no_sync for 2 to 8 parts.
//
// Batch norms take each part of each rank by itself. A network that has some is held against one process that
// trains the batch in as many parts as all ranks have together.
//
// When it does not matter: if the exchange hides behind the backward pass anyway. What it costs: nothing but
// care, since gradients that are not yet exchanged differ between the ranks; clip and read them behind the
// last part.
//
// In the naive form both parts exchange gradients, in the optimized form the second does.
#pragma once

#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step ddp_no_sync_step(const OwnRecord& own) {
  auto step = ranks_step(own, ddp_api("no_sync"));
  step.expectation.outcome = harness::Outcome::helps;
  step.expectation.on_cpu = harness::Outcome::helps;
  return step;
}

}  // namespace workloads::training
