// Multiply in BF16 by autocast.
//
// Question: Convolutions of 16 bits may take half the time. Do yours, after what casting costs?
//
// Lesson: workloads/training/rungs/bf16.hpp
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/bf16.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::bf16);
}

}  // namespace

extern constexpr Step step = checked(training::bf16_step({
    .id = "resnet50/bf16",
    .claim = "Autocast to BF16 shortens a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = resnet50::half_precision,
}));

}  // namespace workloads::resnet50_bf16
