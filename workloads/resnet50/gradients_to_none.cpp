// Drop gradients instead of filling them with zeros.
//
// Question: ResNet-50 has 161 parameters with 23.5 million numbers. What does a step pay for zeros to which
// gradients are added?
//
// Lesson: workloads/training/rungs/gradients_to_none.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/gradients_to_none.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_gradients_to_none {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::gradients_to_none);
}

}  // namespace

extern constexpr Step step = checked(training::gradients_to_none_step({
    .id = "resnet50/gradients_to_none",
    .claim = "Gradients that are dropped instead of zeroed shorten a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_gradients_to_none
