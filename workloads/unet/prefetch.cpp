// Copy the next batch to the device from pinned memory while this one is trained.
//
// Question: A step waits for a batch of 4 images with noise. How much of that wait does a copy ahead hide?
//
// Lesson: workloads/training/rungs/prefetch.hpp
//
// The row times an epoch on batches of 4 images of 32 x 32, its validation included: the kept rungs below
// this one against those rungs and this change. It is a branch until a device has shown that it pays.

#include "workloads/training/rungs/prefetch.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_prefetch {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host has no second memory that batches would be copied to");
  return unet::trial(setup, &training::Switches::prefetch, training::TimedUnit::epoch);
}

}  // namespace

extern constexpr Step step = checked(training::prefetch_step({
    .id = "unet/prefetch",
    .claim = "Pinned memory and copies one batch ahead shorten an epoch of the U-Net.",
    .prepare = prepare,
    .row_seconds = 60,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_prefetch
