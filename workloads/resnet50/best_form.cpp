// What a beginner writes against the whole ladder of ResNet-50.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for ResNet-50 on your machine,
// in FP32?
//
// Lesson: workloads/training/rungs/best_form.hpp
//
// The row times a training step or an epoch on batches of 8 images of 64 x 64: no rung against every rung
// that the chain keeps.

#include "workloads/training/rungs/best_form.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_best_form {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) { return resnet50::trial(setup, training::best_form(point)); }

}  // namespace

extern constexpr Step step = checked(training::best_form_step({
    .id = "resnet50/best_form",
    .claim = "The kept changes together shorten a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 90,
}));

}  // namespace workloads::resnet50_best_form
