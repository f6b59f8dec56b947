// Train each batch on several ranks, a shard on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 4 images and exchange 118 MiB of gradients. Which part of a twofold
// speed-up is left of a training step of the U-Net?
//
// Lesson: workloads/training/rungs/ddp.hpp
//
// Most of the parameters lie in the middle of the U, where images of 32 x 32 have shrunk to 2 x 2, so that
// there is little arithmetic for each byte that is sent.
//
// The row is a training step on a batch of 4 images of 32 x 32 with the kept rungs but `transform_ahead`, so
// that a rank reads no other samples than its own, and without clipping.

#include "workloads/training/rungs/ddp.hpp"

#include "workloads/training/ranks_trial.hpp"
#include "workloads/unet/rung.hpp"

namespace workloads::unet_ddp {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, unet::job, training::ddp, unet::other_order);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_step({
    .id = "unet/ddp",
    .claim = "Ranks that share each batch take a training step of the U-Net sooner than one rank alone.",
    .prepare = prepare,
    .row_seconds = 120,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_ddp
