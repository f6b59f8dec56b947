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
#pragma once

#include "workloads/training/accuracy.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step accuracy_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "Micikevicius et al., Mixed Precision Training, ICLR 2018",
                              .url = "https://arxiv.org/abs/1710.03740",
                              .where = "section 4, Results"});
  step.axes = accuracy_axes;
  step.expectation = harness::Expectation{.outcome = harness::Outcome::no_effect,
                                          .published = "the accuracy of FP32, within the runs' spread",
                                          .hurts_at = "form:bf16_rate_x10"};
  step.tolerance = same_begin;
  step.delta = loss_margin;
  return step;
}

}  // namespace workloads::training
