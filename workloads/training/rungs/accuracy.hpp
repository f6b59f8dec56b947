// Rounding differs between forms, and training carries differences on, so two trainings never end at the same
// bits; nor do two seeds. What can be asked is whether they differ by more than chance and by more than
// matters: here by 5 %, of the loss and of the number of labels that are guessed right. Each round trains
// both forms with a seed of its own, with the same first parameters and the same batches. The learning rate
// falls in a straight line to 0, as trainings end that are to be compared: at a constant rate the last steps
// throw the loss about more than any form does. The verdict
// rests on the ratio of the losses, or of the guesses for a right label. "No effect" means that the interval
// lies within the margin on both sides: two one-sided tests, so a lack of evidence does not pass. A form
// has kept its accuracy if each of its rows says so, and has lost it if one says "hurts".
//
// `bf16_rate_x10` is a mistake made on purpose: the learning rate is ten times too high. A test of accuracy
// that cannot find it would prove nothing of the others.
//
// When it does not matter: where nobody trains to the end. What it cannot say: whether longer trainings,
// other data or larger models stay as close.
#pragma once

#include "workloads/training/accuracy.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step accuracy_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "Micikevicius et al., Mixed Precision Training, ICLR 2018",
                              .url = "https://arxiv.org/abs/1710.03740",
                              .where = "section 4, Results"});
  step.axes = loss_and_labels;
  step.expectation = harness::Expectation{.outcome = harness::Outcome::no_effect,
                                          .published = "the accuracy of FP32, within the runs' spread",
                                          .hurts_at = "form:bf16_rate_x10"};
  step.tolerance = same_begin;
  step.delta = accuracy_margin;
  step.package_seconds = 100;
  step.packages_at = "form:bf16_compiled";
  return step;
}

/// Of a model whose targets are no labels.
constexpr harness::Step accuracy_of_loss_step(const OwnRecord& own) {
  auto step = accuracy_step(own);
  step.axes = loss_alone;
  return step;
}

}  // namespace workloads::training
