// Exchange gradients in a bucket of 25 MiB, instead of each gradient by itself.
//
// Question: STGym's model has 12 gradients, 1.1 MiB together, and all but two are smaller than 11 KiB. What
// do 12 exchanges cost that one would not?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Ten of the gradients are so small that the fixed part of a message is nearly all they cost. The first
// layer's, 1 MiB, comes last in the backward pass, so that nothing hides its exchange in either form.
//
// Lesson: workloads/training/ranks_rungs.hpp
//
// STGym's row has the published model, on 16 graphs.

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
