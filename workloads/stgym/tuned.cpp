// Train with settings that a search has found.
//
// Question: A search tries forty settings on noisy times and shows its best. How much of that best is left
// when the settings are measured anew?
//
// STGym trains graph neural networks on maps of gene activity in tissue. The steps of stgym/ are the changes
// that made one such training faster, each measured on top of those before it (docs/stgym.md).
//
// Lesson: workloads/training/rungs/tuned.hpp
//
// A run of the row is an epoch, validation included: the same graphs whatever the batch.

#include "workloads/training/rungs/tuned.hpp"

#include "workloads/stgym/tuned_training.hpp"

namespace workloads::stgym_tuned {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) { return stgym::tuned_trial(setup, point); }

}  // namespace

extern constexpr Step step = checked(training::tuned_step({
    .id = "stgym/tuned",
    .claim = "Settings that a search has found shorten the training of STGym.",
    .prepare = prepare,
    .row_seconds = 60,
    .tolerance = {.relative = 5e-2,
                  .why = "the settings may ask for BF16, which keeps 8 bits of each factor"},
}));

}  // namespace workloads::stgym_tuned
