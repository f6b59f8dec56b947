// Drop gradients instead of filling them with zeros.
//
// Question: The GPT has 52 parameters with 0.8 million numbers. What does a step pay for zeros to which
// gradients are added?
//
// Lesson: workloads/training/rungs/gradients_to_none.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/training/rungs/gradients_to_none.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_gradients_to_none {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::gradients_to_none);
}

}  // namespace

extern constexpr Step step = checked(training::gradients_to_none_step({
    .id = "gpt/gradients_to_none",
    .claim = "Gradients that are dropped instead of zeroed shorten a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_gradients_to_none
