// Take AdamW's step in one operator.
//
// Question: AdamW goes over 52 parameters with 0.8 million numbers. What does it save to do so once?
//
// LibTorch's C++ AdamW goes from parameter to parameter with about ten operators for each, and each of them
// is a pass over memory. The fused operator reads value, gradient and moments once and writes what changed.
//
// When it does not matter: where forward and backward take nearly all of the time, as with large batches:
// the optimizer's work does not grow with them.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against the same with it.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_fused_optimizer {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::fused_optimizer);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/fused_optimizer",
    .claim = "A fused AdamW shortens a training step of the GPT.",
    .source = {.title = "PyTorch, torch.optim.AdamW",
               .url = "https://docs.pytorch.org/docs/stable/generated/torch.optim.AdamW.html",
               .where = "fused"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_fused_optimizer
