// Let worker threads make the batches.
//
// Question: A batch of 8 images whose bytes become numbers from -1 to 1 is made between two steps. Two
// threads could make it during a step: what do they save, and what do they take from the network?
//
// Lesson: workloads/training/rungs/workers.hpp
//
// The row times an epoch on batches of 8 images of 64 x 64, its validation included: the kept rungs below
// this one against those rungs and this change, two workers with one OpenMP thread each. It is a branch:
// above it all samples are transformed before training, and nothing is left to make.

#include "workloads/training/rungs/workers.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_workers {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::workers, training::TimedUnit::epoch);
}

}  // namespace

extern constexpr Step step = checked(training::workers_step({
    .id = "resnet50/workers",
    .claim = "Two loader workers shorten an epoch of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 250,
}));

}  // namespace workloads::resnet50_workers
