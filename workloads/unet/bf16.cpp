// Multiply in BF16 by autocast.
//
// Question: Nearly all of the U-Net's time is in convolutions. What part of it does BF16 save on your
// processor?
//
// Lesson: workloads/training/rungs/bf16.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/bf16.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) { return unet::trial(setup, &training::Switches::bf16); }

}  // namespace

extern constexpr Step step = checked(training::bf16_step({
    .id = "unet/bf16",
    .claim = "Autocast to BF16 shortens a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = training::half_precision,
}));

}  // namespace workloads::unet_bf16
