// Transform samples once, before training, not each time one is fetched.
//
// Question: Sixteen pieces of text become numbers for each batch. Can that be seen beside the step?
//
// Lesson: workloads/training/rungs/transform_ahead.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/training/rungs/transform_ahead.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_transform_ahead {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::transform_ahead);
}

}  // namespace

extern constexpr Step step = checked(training::transform_ahead_step({
    .id = "gpt/transform_ahead",
    .claim = "Samples that are transformed before training shorten a training step of the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_transform_ahead
