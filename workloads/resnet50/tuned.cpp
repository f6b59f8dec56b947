// Train with settings that a search has found.
//
// Question: A search over settings of ResNet-50 promises a gain. Do you believe half of it, all of it, or
// none, and what does a second measurement say?
//
// Lesson: workloads/training/rungs/tuned.hpp
//
// A run of the row trains as many images of 64 x 64 as the larger of the two batches has.

#include "workloads/training/rungs/tuned.hpp"

#include "workloads/resnet50/rung.hpp"
#include "workloads/training/knobs.hpp"

namespace workloads::resnet50_tuned {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return training::tuned_trial(setup, point, resnet50::job(setup), training::resnet50_amount);
}

}  // namespace

extern constexpr Step step = checked(training::tuned_step({
    .id = "resnet50/tuned",
    .claim = "Settings that a search has found shorten the training of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 180,
    .tolerance =
        {.relative = 0.2,
         .why = "the settings may ask for BF16, and batch norms over 32 values enlarge what is rounded"},
}));

}  // namespace workloads::resnet50_tuned
