// Train both forms to the end and compare what they have learned.
//
// Question: A form that is faster and learns less is not a gain. Does the U-Net end at the same loss in its
// best form, and in BF16?
//
// Lesson: workloads/training/rungs/accuracy.hpp
//
// The row trains 160 steps on batches of 4 images of 32 x 32, which see each image once, a naive form and the
// point's, and judges the loss on 64 images that neither has seen. The U-Net has no labels to guess: its loss
// is how far it misses the noise. The seconds of all steps, and those to the same loss, stand beside it for
// the first seed.

#include "workloads/training/rungs/accuracy.hpp"

#include "workloads/unet/rung.hpp"

namespace workloads::unet_accuracy {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 160;
  constexpr training::Split split{.training = 640, .validation = 64};
  return training::accuracy_trial(setup, point, unet::job(setup, split), steps);
}

}  // namespace

extern constexpr Step step = checked(training::accuracy_of_loss_step({
    .id = "unet/accuracy",
    .claim = "The faster forms of the U-Net end a training with the loss of the naive one.",
    .prepare = prepare,
    .row_seconds = 690,
}));

}  // namespace workloads::unet_accuracy
