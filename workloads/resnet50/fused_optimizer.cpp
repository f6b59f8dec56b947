// Take AdamW's step in one operator.
//
// Question: AdamW goes over 161 parameters with 23.5 million numbers. What does a single pass save?
//
// Lesson: workloads/training/rungs/fused_optimizer.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/fused_optimizer.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_fused_optimizer {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::fused_optimizer);
}

}  // namespace

extern constexpr Step step = checked(training::fused_optimizer_step({
    .id = "resnet50/fused_optimizer",
    .claim = "A fused AdamW shortens a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_fused_optimizer
