// Take AdamW's step in one operator.
//
// Question: AdamW goes over 52 parameters with 0.8 million numbers. What does a single pass save?
//
// Lesson: workloads/training/rungs/fused_optimizer.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/training/rungs/fused_optimizer.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_fused_optimizer {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::fused_optimizer);
}

}  // namespace

extern constexpr Step step = checked(training::fused_optimizer_step({
    .id = "gpt/fused_optimizer",
    .claim = "A fused AdamW shortens a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::fused_update,
}));

}  // namespace workloads::gpt_fused_optimizer
