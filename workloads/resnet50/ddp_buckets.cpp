// Exchange gradients in buckets of 25 MiB, instead of each gradient by itself.
//
// Question: ResNet-50 has 161 gradients, 90 MiB together. What do 161 exchanges cost that a few would not?
//
// Lesson: workloads/training/rungs/ddp_buckets.hpp
//
// 106 of the gradients belong to batch norms and have 64 to 2048 values: a message of 8 KiB takes hardly
// longer than an empty one, so that they cost their number. 25 MiB makes a handful of buckets.
//
// The row is a training step on a batch of 8 images of 64 x 64, a shard on each rank, with the kept rungs but
// `transform_ahead` and without clipping.

#include "workloads/training/rungs/ddp_buckets.hpp"

#include "workloads/resnet50/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::resnet50_ddp_buckets {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, resnet50::job, training::ddp_buckets);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_buckets_step({
    .id = "resnet50/ddp_buckets",
    .claim = "Gradients that are exchanged in buckets of 25 MiB shorten a training step of ResNet-50.",
    .prepare = prepare,
    .row_seconds = 180,
}));

}  // namespace workloads::resnet50_ddp_buckets
