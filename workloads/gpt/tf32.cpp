// Let FP32 products and convolutions run in TF32.
//
// Question: Tensor cores multiply TF32 several times as fast as other cores multiply FP32. How much of a
// step of the GPT is that?
//
// TF32 has the range of FP32 and the 10 bits of precision of FP16. Tensors stay FP32; only the factors of
// a product are rounded on their way into the tensor cores, and sums are FP32's.
//
// When it does not matter: on devices before Ampere, which have no TF32, and on the CPU, where the row is
// skipped. It changes the arithmetic, so it is a branch that no other rung stands on.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against the same with it. The slow form computes products and convolutions in full FP32, though LibTorch
// would let convolutions have TF32 by itself.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_tf32 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("TF32 is a format of CUDA devices");
  return gpt::trial(setup, &training::Switches::tf32);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/tf32",
    .claim = "TF32 products and convolutions shorten a training step of the GPT.",
    .source = {.title = "PyTorch, CUDA semantics",
               .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
               .where = "TensorFloat-32 (TF32) on Ampere (and later) devices"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = {.relative = 5e-2, .why = "TF32 keeps 10 bits of each factor"},
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_tf32
