// Multiply in BF16 by autocast.
//
// Question: Products take two bytes a number instead of four, but all data must first be cast in every step.
// Which of the two wins on your processor?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// BF16 has FP32's range in half the bytes, with 8 bits of precision instead of 24; units for products of 16
// bits are several times as fast as those for FP32. Autocast casts what enters a linear layer, and leaves
// softmaxes, losses and sums in FP32; parameters and the optimizer's moments stay FP32 as well.
//
// What it costs: x is cast in every step, a pass over the largest tensor that reads 4 bytes a number and
// writes 2, before products that then read 2. Data that were stored in BF16 would save that, too, and are
// another data set. Where products were not what a step waits for, the casts are all there is to see.
//
// When it does not matter, or hurts: on processors without arithmetic of 16 bits, where it is emulated; where
// memory is the limit. It is a branch, since it changes the arithmetic.
//
// Promise: a loss curve within 2 % of FP32's at every step of an epoch; not the same numbers.
//
// Answer: The cast, on processors without arithmetic of 16 bits: it reads 4 bytes a number and writes 2,
// over the largest tensor, in each step. With such arithmetic the products can win, if they are what a step
// waits for.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_bf16 {

using namespace harness;

constexpr Tolerance half_precision{
    .relative = 2e-2, .why = "BF16 keeps 8 bits of each factor; the losses of an epoch are compared"};

extern constexpr Step step = checked({
    .id = "stgym/bf16",
    .claim = "Autocast to BF16 shortens a training step of FP32 data.",
    .source = {.title = "PyTorch, Automatic Mixed Precision",
               .url = "https://docs.pytorch.org/docs/stable/amp.html",
               .where = "torch.autocast"},
    .runs = Runs::session,
    .axes = stgym::our_axes,
    .prepare = stgym::rung<&stgym::Switches::bf16>,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = half_precision,
    .row_seconds = 11,
    .other_costs = stgym::epoch_costs,
    .suite = Suite::named,
});

}  // namespace workloads::stgym_bf16
