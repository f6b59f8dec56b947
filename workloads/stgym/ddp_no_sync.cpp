// Exchange gradients once for a batch of graphs that is trained in parts, instead of after each part.
//
// Question: STGym trains a batch of 32 graphs in two parts. How much of the step does the first part's
// exchange take?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Lesson: workloads/training/ranks_rungs.hpp
//
// STGym's row has the published model, on 32 graphs.

#include "workloads/stgym/graph_ranks_trial.hpp"
#include "workloads/training/ranks_rungs.hpp"

namespace workloads::stgym_ddp_no_sync {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return stgym::ranks_trial(setup, training::ddp_no_sync);
}

extern constexpr Step step = checked(stgym::in_ranks<training::ddp_no_sync_step>({
    .id = "stgym/ddp_no_sync",
    .claim = "Gradients that are exchanged once for two parts of a batch shorten STGym's training step.",
    .prepare = prepare,
    .row_seconds = 30,
}));

}  // namespace workloads::stgym_ddp_no_sync
