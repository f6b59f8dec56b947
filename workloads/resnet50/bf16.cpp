// Multiply in BF16 by autocast.
//
// Question: Convolutions of 16 bits may take half the time. Do yours, after what casting costs?
//
// BF16 has the range of FP32 in half the bytes, with 8 bits of precision. Units for products of 16 bits are
// several times as fast where a processor has them. Parameters and the moments of AdamW stay FP32; autocast
// casts each parameter in each step.
//
// When it hurts: on processors that have no instructions for BF16, and where products are so small that
// casts outweigh them. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step on batches of 8 images of 64 x 64: the kept rungs below this one against the
// same with it.

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return resnet50::trial(setup, &training::Switches::bf16);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/bf16",
    .claim = "Autocast to BF16 shortens a training step of ResNet-50.",
    .source = {.title = "PyTorch, Automatic Mixed Precision",
               .url = "https://docs.pytorch.org/docs/stable/amp.html",
               .where = "torch.autocast"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = training::half_precision_of_resnet50,
    .row_seconds = 90,
    .full_only = true,
});

}  // namespace workloads::resnet50_bf16
