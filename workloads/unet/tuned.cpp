// Train with settings that a search has found.
//
// Question: Suppose that the U-Net's best trial beats plain advice by a tenth. Is that the setting, or the
// luck of one measurement among forty?
//
// Lesson: workloads/training/rungs/tuned.hpp
//
// A run of the row trains as many images of 32 x 32 as the larger of the two batches has.

#include "workloads/training/rungs/tuned.hpp"

#include "workloads/training/knobs.hpp"
#include "workloads/unet/rung.hpp"

namespace workloads::unet_tuned {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return training::tuned_trial(setup, point, unet::job(setup), training::unet_amount);
}

}  // namespace

extern constexpr Step step = checked(training::tuned_step({
    .id = "unet/tuned",
    .claim = "Settings that a search has found shorten the training of the U-Net.",
    .prepare = prepare,
    .row_seconds = 120,
    .tolerance = {.relative = 5e-2,
                  .why = "the settings may ask for BF16, which keeps 8 bits of each factor"},
}));

}  // namespace workloads::unet_tuned
