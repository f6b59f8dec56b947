// Lay out images and kernels channels last.
//
// Question: The U-Net's images are 32 x 32, with up to 1,024 channels. Which layout do your processor's
// kernels want?
//
// Lesson: workloads/training/rungs/channels_last.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/channels_last.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_channels_last {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::channels_last);
}

}  // namespace

extern constexpr Step step = checked(training::channels_last_step({
    .id = "unet/channels_last",
    .claim = "The memory format channels_last shortens a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_channels_last
