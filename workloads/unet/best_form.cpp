// What a beginner writes against the whole ladder of the U-Net.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for the U-Net on your machine,
// in FP32?
//
// Lesson: workloads/training/rungs/best_form.hpp
//
// The row times a training step or an epoch on batches of 4 images of 32 x 32: no rung against every rung
// that the chain keeps.

#include "workloads/training/rungs/best_form.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_best_form {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) { return unet::trial(setup, training::best_form(point)); }

}  // namespace

extern constexpr Step step = checked(training::best_form_step({
    .id = "unet/best_form",
    .claim = "The kept changes together shorten a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_best_form
