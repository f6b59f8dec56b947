// Exchange gradients in a bucket of 25 MiB, instead of each gradient by itself.
//
// Question: STGym's model has 12 gradients, 1.1 MiB together, and all but two are smaller than 11 KiB. What
// do 12 exchanges cost that one would not?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Lesson: workloads/training/ranks_rungs.hpp
//
// Ten of these gradients are so small that the fixed part is nearly all they cost. The first layer's, 1 MiB,
// comes last in the backward pass, so that there is nothing for it to hide behind in either form.
//
// The row is a training step of the published model with every kept change on 16 graphs, a share of them on
// each rank.

#include "workloads/stgym/graph_ranks_trial.hpp"
#include "workloads/training/ranks_rungs.hpp"

namespace workloads::stgym_ddp_buckets {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return stgym::ranks_trial(setup, training::ddp_buckets);
}

extern constexpr Step step = checked(stgym::in_ranks<training::ddp_buckets_step>({
    .id = "stgym/ddp_buckets",
    .claim = "Gradients that are exchanged in a bucket of 25 MiB shorten STGym's training step.",
    .prepare = prepare,
    .row_seconds = 20,
}));

}  // namespace workloads::stgym_ddp_buckets
