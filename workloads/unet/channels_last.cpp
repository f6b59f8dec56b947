// Lay out images and kernels channels last.
//
// Question: The U-Net's images are 32 x 32, with up to 1,024 channels. Which layout do your processor's
// kernels want?
//
// A convolution sums over channels. With the channels of a pixel side by side in memory its kernels read
// runs of numbers that they multiply together; in the other layout they are as far apart as an image is
// large, and libraries often reorder them first. Kernels of operators between convolutions keep the layout
// that they are given.
//
// When it does not matter: on a CPU, oneDNN reorders the kernels and images of either layout into blocks of
// its own. It may hurt where an operator has no kernel for this layout.
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against the
// same with it.

#include "workloads/unet/rung.hpp"

namespace workloads::unet_channels_last {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return unet::trial(setup, &training::Switches::channels_last);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/channels_last",
    .claim = "The memory format channels_last shortens a training step of the U-Net.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Use channels_last memory format"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::unet_channels_last
