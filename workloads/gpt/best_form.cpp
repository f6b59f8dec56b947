// What a beginner writes against the whole ladder of the GPT.
//
// Question: The checklists promise 1.3 to 2 times the speed. What do they give for the GPT on your machine,
// in FP32?
//
// Lesson: workloads/training/rungs/best_form.hpp
//
// The row times a training step or an epoch on batches of 16 pieces of 64 characters: no rung against every
// rung that the chain keeps.

#include "workloads/training/rungs/best_form.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_best_form {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) { return gpt::trial(setup, training::best_form(point)); }

}  // namespace

extern constexpr Step step = checked(training::best_form_step({
    .id = "gpt/best_form",
    .claim = "The kept changes together shorten a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_best_form
