// What a beginner writes against the whole ladder of the U-Net, in BF16.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for the U-Net on your machine
// with products of 16 bits, and what if torch's compiler writes the step?
//
// Lesson: workloads/training/rungs/best_form_bf16.hpp
//
// The row times a training step or an epoch on batches of 4 images of 32 x 32: no rung against every rung
// that the chain keeps, and BF16.

#include "workloads/training/rungs/best_form_bf16.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_best_form_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return unet::trial(setup, training::best_form_bf16(point));
}

}  // namespace

extern constexpr Step step = checked(training::best_form_bf16_step({
    .id = "unet/best_form_bf16",
    .claim = "The kept changes and BF16 together shorten a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = training::half_precision,
}));

}  // namespace workloads::unet_best_form_bf16
