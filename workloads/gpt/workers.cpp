// Let worker threads make the batches.
//
// Question: A batch of 16 pieces of text is made between two steps. Two threads could make it during a step:
// what do they save, and what do they take from the network?
//
// Lesson: workloads/training/rungs/workers.hpp
//
// The row times an epoch on batches of 16 pieces of 64 characters, its validation included: the kept rungs
// below this one against those rungs and this change, two workers with one OpenMP thread each. It is a
// branch: above it all samples are transformed before training, and nothing is left to make.

#include "workloads/training/rungs/workers.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_workers {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::workers, training::TimedUnit::epoch);
}

}  // namespace

extern constexpr Step step = checked(training::workers_step({
    .id = "gpt/workers",
    .claim = "Two loader workers shorten an epoch of the GPT.",
    .prepare = prepare,
    .row_seconds = 120,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_workers
