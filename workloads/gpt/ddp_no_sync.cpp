// Exchange gradients once for a batch that is trained in parts, instead of behind each part.
//
// Question: The GPT trains a batch in two parts, since the whole does not fit. How much of the step does the
// first part's exchange take?
//
// Lesson: workloads/training/rungs/ddp_no_sync.hpp
//
// The row is a training step on a batch of 32 pieces of 64 characters, twice the workload's, in two parts on
// each rank; an exchange is of 3 MiB. It has the kept rungs but `transform_ahead`, and no clipping.

#include "workloads/training/rungs/ddp_no_sync.hpp"

#include "workloads/gpt/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::gpt_ddp_no_sync {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, gpt::job, training::ddp_no_sync, gpt::other_order);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_no_sync_step({
    .id = "gpt/ddp_no_sync",
    .claim = "Gradients that are exchanged once for two parts of a batch shorten a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 60,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_ddp_no_sync
