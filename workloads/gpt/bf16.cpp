// Multiply in BF16 by autocast.
//
// Question: This GPT multiplies matrices of 128 columns. Do products of 16 bits save more there than the
// casts cost?
//
// Lesson: workloads/training/rungs/bf16.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/training/rungs/bf16.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) { return gpt::trial(setup, &training::Switches::bf16); }

}  // namespace

extern constexpr Step step = checked(training::bf16_step({
    .id = "gpt/bf16",
    .claim = "Autocast to BF16 shortens a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::half_precision,
}));

}  // namespace workloads::gpt_bf16
