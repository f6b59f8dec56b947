// Train both forms to the end and compare what they have learned.
//
// Question: A form that is faster and learns less is not a gain. Does ResNet-50 end at the same loss in its
// best form, and in BF16, and does it guess as many labels right?
//
// Lesson: workloads/training/rungs/accuracy.hpp
//
// The row trains 48 steps on batches of 8 images of 64 x 64, which see each image once, a naive form and the
// point's, and judges the loss, or the labels, of 128 images that neither has seen. What is not judged, the
// seconds of all steps, and those to the same loss stand beside it for the first seed.

#include "workloads/training/rungs/accuracy.hpp"

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_accuracy {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 48;
  constexpr training::Split split{.training = 384, .validation = 128};
  return training::accuracy_trial(setup, point, resnet50::job(setup, split), steps);
}

}  // namespace

extern constexpr Step step = checked(training::accuracy_step({
    .id = "resnet50/accuracy",
    .claim = "The faster forms of ResNet-50 end a training with the loss and the right labels of the "
             "naive one.",
    .prepare = prepare,
    .row_seconds = 250,
}));

}  // namespace workloads::resnet50_accuracy
