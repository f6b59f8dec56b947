// Take AdamW's step in one operator.
//
// Question: AdamW goes over 64 parameters with 31 million numbers. What does it save to do so once?
//
// Lesson: workloads/training/rungs/fused_optimizer.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/fused_optimizer.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_fused_optimizer {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::fused_optimizer);
}

}  // namespace

extern constexpr Step step = checked(training::fused_optimizer_step({
    .id = "unet/fused_optimizer",
    .claim = "A fused AdamW shortens a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_fused_optimizer
