// Compute attention with one operator.
//
// Question: Attention over 64 characters is a matrix of 64 x 64 for each head. Is that enough for a fused
// operator to save anything?
//
// Written out, attention multiplies, scales, masks, takes a softmax and multiplies again. Each keeps a
// tensor of the size of block squared for each head, most of which the backward pass reads again. The fused
// operator goes through it in tiles and keeps one number a row.
//
// When it does not matter: in short sequences, whose matrices fit into a cache. The saving grows with the
// square of the length.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_fused_attention {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::fused_attention);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/fused_attention",
    .claim = "Fused attention shortens a training step of the GPT.",
    .source = {.title = "PyTorch, scaled_dot_product_attention",
               .url = "https://docs.pytorch.org/docs/stable/generated/"
                      "torch.nn.functional.scaled_dot_product_attention.html",
               .where = "is_causal"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = gpt::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_fused_attention
