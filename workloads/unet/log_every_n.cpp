// Show the loss every 50 steps, not in each step.
//
// Question: What is one number, read once a step, beside 31 million parameters?
//
// Lesson: workloads/training/rungs/log_every_n.hpp
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against
// those rungs and this change.

#include "workloads/training/rungs/log_every_n.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_log_every_n {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::log_every_n);
}

}  // namespace

extern constexpr Step step = checked(training::log_every_n_step({
    .id = "unet/log_every_n",
    .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "the U-Net.",
    .prepare = prepare,
    .row_seconds = 90,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_log_every_n
