// Multiply in FP16 by autocast, with a scaled loss.
//
// Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of the
// GPT?
//
// FP16 has 10 bits of precision but a small range: gradients below 6e-8 become zero. So the loss is
// multiplied by a factor before the backward pass, and gradients are divided by it after. Where one of
// them is not finite the update is left out and the factor halved.
//
// What it costs: a pass over all gradients, and a wait for the device in each step, to know whether the
// update is to be left out. When it does not matter: on the CPU, which multiplies FP16 no faster; the row
// is skipped there. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against the same with it.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_fp16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU multiplies FP16 no faster than FP32");
  return gpt::trial(setup, &training::Switches::fp16);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/fp16",
    .claim = "Autocast to FP16 with a scaled loss shortens a training step of the GPT.",
    .source = {.title = "PyTorch, Automatic Mixed Precision",
               .url = "https://docs.pytorch.org/docs/stable/amp.html",
               .where = "Gradient Scaling"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 5e-2, .why = "FP16 keeps 10 bits of each factor"},
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_fp16
