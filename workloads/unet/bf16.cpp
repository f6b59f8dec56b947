// Multiply in BF16 by autocast.
//
// Question: Nearly all of the U-Net's time is in convolutions. What part of it does BF16 save on your
// processor?
//
// BF16 has the range of FP32 in half the bytes, with 8 bits of precision. Units for products of 16 bits are
// several times as fast where a processor has them. Parameters and the moments of AdamW stay FP32; autocast
// casts each parameter in each step.
//
// When it hurts: on processors that have no instructions for BF16, and where products are so small that
// casts outweigh them. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step on batches of 4 images of 32 x 32: the kept rungs below this one against the
// same with it.

#include "workloads/unet/rung.hpp"

namespace workloads::unet_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) { return unet::trial(setup, &training::Switches::bf16); }

}  // namespace

extern constexpr Step step = checked({
    .id = "unet/bf16",
    .claim = "Autocast to BF16 shortens a training step of the U-Net.",
    .source = {.title = "PyTorch, Automatic Mixed Precision",
               .url = "https://docs.pytorch.org/docs/stable/amp.html",
               .where = "torch.autocast"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::half_precision,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::unet_bf16
