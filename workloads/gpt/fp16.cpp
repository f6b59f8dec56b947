// Multiply in FP16 by autocast, with a scaled loss.
//
// Question: FP16 and BF16 take the same time in a product. What does FP16's scaling add to a step of the GPT?
//
// Lesson: workloads/training/rungs/fp16.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/training/rungs/fp16.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_fp16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("a CPU multiplies FP16 no faster than FP32");
  return gpt::trial(setup, &training::Switches::fp16);
}

}  // namespace

extern constexpr Step step = checked(training::fp16_step({
    .id = "gpt/fp16",
    .claim = "Autocast to FP16 with a scaled loss shortens a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
}));

}  // namespace workloads::gpt_fp16
