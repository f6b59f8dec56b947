// FP16 has 10 bits of precision but a small range: gradients below 6e-8 become zero. So the loss is
// multiplied by a factor before the backward pass, and gradients are divided by it after. Where one of them
// is not finite the update is left out and the factor halved.
//
// What it costs: a pass over all gradients, and a wait for the device in each step, to know whether the
// update is to be left out. When it does not matter: on the CPU, which multiplies FP16 no faster; the row is
// skipped there. It changes the arithmetic, so it is a branch that no other rung stands on.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step fp16_step(const OwnRecord& own) {
  auto step = rung_step(own, {.title = "PyTorch, Automatic Mixed Precision",
                              .url = "https://docs.pytorch.org/docs/stable/amp.html",
                              .where = "Gradient Scaling"});
  step.tolerance = harness::Tolerance{.relative = 5e-2, .why = "FP16 keeps 10 bits of each factor"};
  return step;
}

}  // namespace workloads::training
