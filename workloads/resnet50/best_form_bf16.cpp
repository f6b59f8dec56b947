// What a beginner writes against the whole ladder of ResNet-50, in BF16.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for ResNet-50 on your machine
// with products of 16 bits, and what if torch's compiler writes the step?
//
// Lesson: workloads/training/rungs/best_form_bf16.hpp
//
// The row times a training step or an epoch on batches of 8 images of 64 x 64: no rung against every rung
// that the chain keeps, and BF16.

#include "workloads/training/rungs/best_form_bf16.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_best_form_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return resnet50::trial(setup, training::best_form_bf16(point));
}

}  // namespace

extern constexpr Step step = checked(training::best_form_bf16_step({
    .id = "resnet50/best_form_bf16",
    .claim = "The kept changes and BF16 together shorten a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = resnet50::half_precision,
}));

}  // namespace workloads::resnet50_best_form_bf16
