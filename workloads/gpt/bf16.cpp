// Multiply in BF16 by autocast.
//
// Question: This GPT multiplies matrices of 128 columns. Do products of 16 bits save more there than the
// casts cost?
//
// BF16 has the range of FP32 in half the bytes, with 8 bits of precision. Units for products of 16 bits are
// several times as fast where a processor has them. Parameters and the moments of AdamW stay FP32; autocast
// casts each parameter in each step.
//
// When it hurts: on processors that have no instructions for BF16, and where products are so small that
// casts outweigh them. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against the same with it.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) { return gpt::trial(setup, &training::Switches::bf16); }

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/bf16",
    .claim = "Autocast to BF16 shortens a training step of the GPT.",
    .source = {.title = "PyTorch, Automatic Mixed Precision",
               .url = "https://docs.pytorch.org/docs/stable/amp.html",
               .where = "torch.autocast"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::half_precision,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_bf16
