// Transform samples once, before training, not each time one is fetched.
//
// Question: Four images are drawn, with noise, for each batch. Can that be seen beside the step?
//
// What a sample goes through on the way to the network is repeated in every epoch, sample by sample, with a
// handful of small operators each. Done once, a batch is rows copied out of one tensor.
//
// What it costs: memory for all samples as the network wants them, here FP32 instead of bytes, and no random
// augmentation. When it does not matter: where the network takes much longer than its samples, as large
// networks do.
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against the
// same with it.

#include "workloads/unet/rung.hpp"

namespace workloads::unet_transform_ahead {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::transform_ahead);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/transform_ahead",
    .claim = "Samples that are transformed before training shorten a training step of the U-Net.",
    .source = {.title = "PyTorch, torch.utils.data",
               .url = "https://docs.pytorch.org/docs/stable/data.html",
               .where = "Map-style datasets"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::unet_transform_ahead
