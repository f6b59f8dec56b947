// Train both forms to the end and compare what they have learned.
//
// Question: A form that is faster and learns less is no gain. Does the GPT end at the same loss in its best
// form, and in BF16?
//
// Rounding differs between forms, and training carries differences on, so two trainings never end at the same
// bits; nor do two seeds. What can be asked is whether the loss differs by more than chance and by more than
// matters: here by 5 %. Each round trains both forms with a seed of its own, with the same first parameters
// and the same batches, and the verdict rests on the ratio of the losses. "No effect" means that the interval
// lies within the margin on both sides: two one-sided tests, which absence of evidence does not pass.
//
// `bf16_rate_x10` is a mistake made on purpose: the learning rate is ten times too high. A test of accuracy
// that cannot find it would prove nothing of the other two.
//
// When it does not matter: where nobody trains to the end. What it cannot say: whether longer trainings,
// other data or larger models stay as close.
//
// The row trains 128 steps on batches of 16 pieces of 64 characters, a naive form and the point's, and judges
// the loss on samples that neither has seen. What was guessed right, the seconds of all steps, and those to
// the same loss stand beside it for the first seed.

#include "workloads/training/accuracy.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_accuracy {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  constexpr std::int64_t steps = 128;
  return training::accuracy_trial(setup, point, gpt::job(setup), steps);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/accuracy",
    .claim = "The faster forms of the GPT end a training with the loss of the naive one.",
    .source = {.title = "Micikevicius et al., Mixed Precision Training, ICLR 2018",
               .url = "https://arxiv.org/abs/1710.03740",
               .where = "section 4, Results"},
    .runs = Runs::session,
    .axes = training::accuracy_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "the accuracy of FP32, within the runs' spread",
                    .hurts_at = "form:bf16_rate_x10"},
    .tolerance = training::same_begin,
    .delta = training::loss_margin,
    .row_seconds = 280,
    .full_only = true,
});

}  // namespace workloads::gpt_accuracy
