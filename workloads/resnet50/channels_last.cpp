// Lay out images and kernels channels last.
//
// Question: The convolutions of ResNet-50 are small at 64 x 64. Which layout do your processor's kernels
// want?
//
// Lesson: workloads/training/rungs/channels_last.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/channels_last.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_channels_last {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::channels_last);
}

}  // namespace

extern constexpr Step step = checked(training::channels_last_step({
    .id = "resnet50/channels_last",
    .claim = "The memory format channels_last shortens a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_channels_last
