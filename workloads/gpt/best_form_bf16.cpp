// What a beginner writes against the whole ladder of the GPT, in BF16.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for the GPT on your machine
// with products of 16 bits, and what if torch's compiler writes the step?
//
// Lesson: workloads/training/rungs/best_form_bf16.hpp
//
// The row times a training step or an epoch on batches of 16 pieces of 64 characters: no rung against every
// rung that the chain keeps, and BF16.

#include "workloads/training/rungs/best_form_bf16.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_best_form_bf16 {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) { return gpt::trial(setup, training::best_form_bf16(point)); }

}  // namespace

extern constexpr Step step = checked(training::best_form_bf16_step({
    .id = "gpt/best_form_bf16",
    .claim = "The kept changes and BF16 together shorten a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::half_precision,
}));

}  // namespace workloads::gpt_best_form_bf16
