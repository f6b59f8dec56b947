// Train both forms to the end and compare what they have learned.
//
// Question: A form that is faster and learns less is not a gain. Does the GPT end at the same loss in its
// best form, and in BF16, and does it guess as many labels right?
//
// Lesson: workloads/training/rungs/accuracy.hpp
//
// The row trains 128 steps on batches of 16 pieces of 64 characters, a naive form and the point's, and judges
// the loss, or the labels, of samples that neither has seen. What is not judged, the seconds of all steps,
// and those to the same loss stand beside it for the first seed.

#include "workloads/training/rungs/accuracy.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_accuracy {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 128;
  return training::accuracy_trial(setup, point, gpt::job(setup), steps);
}

}  // namespace

extern constexpr Step step = checked(training::accuracy_step({
    .id = "gpt/accuracy",
    .claim =
        "The faster forms of the GPT end a training with the loss and the right labels of the naive one.",
    .prepare = prepare,
    .row_seconds = 140,
}));

}  // namespace workloads::gpt_accuracy
