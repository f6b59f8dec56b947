// Show the loss every 50 steps, not in each step.
//
// Question: What is one number, read once a step, beside 31 million parameters?
//
// To print the loss the host needs its value. On a device it waits until all queued work is done, and while
// it then queues the next step the device idles. Each line is also formatted and written.
//
// When it does not matter: on a CPU nothing is queued, so only the line itself is saved.
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against the
// same with it.

#include "workloads/unet/rung.hpp"

namespace workloads::unet_log_every_n {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::log_every_n);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/log_every_n",
    .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "the U-Net.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Avoid unnecessary CPU-GPU synchronization"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::unet_log_every_n
