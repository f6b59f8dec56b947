// Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
//
// Question: The U-Net has 64 gradients, 118 MiB together. What do 64 exchanges cost that a few would not?
//
// Lesson: workloads/training/rungs/ddp_buckets.hpp
//
// 41 of the gradients belong to norms and biases and have at most 1024 values: such a message takes hardly
// longer than an empty one. The largest kernel alone has 36 MiB and is a bucket by itself; the small ones
// travel with their neighbours.
//
// The row is a training step on a batch of 4 images of 32 x 32, a shard on each rank, with the kept rungs but
// `transform_ahead` and without clipping.

#include "workloads/training/rungs/ddp_buckets.hpp"

#include "workloads/training/ranks_trial.hpp"
#include "workloads/unet/rung.hpp"

namespace workloads::unet_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, unet::job, training::ddp_buckets, unet::other_order);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_buckets_step({
    .id = "unet/ddp_buckets",
    .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of the U-Net.",
    .prepare = prepare,
    .row_seconds = 180,
    .tolerance = unet::other_order,
}));

}  // namespace workloads::unet_ddp_buckets
