// Train each batch on several ranks, a shard on each, instead of on one rank alone.
//
// Question: Two ranks share a batch of 8 images and exchange 90 MiB of gradients. Which part of a twofold
// speed-up is left of a training step of ResNet-50?
//
// Lesson: workloads/training/rungs/ddp.hpp
//
// The gradients are nearly all of the model. Images of 64 x 64 give little work for so many parameters; on
// images of 224 x 224 each parameter is used about twelve times as often, and the same bytes hide more
// easily.
//
// The row is a training step on a batch of 8 images of 64 x 64 with the kept rungs but `transform_ahead`, so
// that a rank reads no other samples than its own, and without clipping.

#include "workloads/training/rungs/ddp.hpp"

#include "workloads/resnet50/rung.hpp"
#include "workloads/training/ranks_trial.hpp"

namespace workloads::resnet50_ddp {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return training::ranks_trial(setup, resnet50::job, training::ddp);
}

}  // namespace

extern constexpr Step step = checked(training::ddp_step({
    .id = "resnet50/ddp",
    .claim = "Ranks that share each batch take a training step of ResNet-50 sooner than one rank alone.",
    .prepare = prepare,
    .row_seconds = 120,
}));

}  // namespace workloads::resnet50_ddp
