// Show the loss every 50 steps, not in each step.
//
// Question: A step of this GPT is short. What does one line of output a step cost beside it?
//
// Lesson: workloads/training/rungs/log_every_n.hpp
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against those rungs and this change.

#include "workloads/training/rungs/log_every_n.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_log_every_n {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::log_every_n);
}

}  // namespace

extern constexpr Step step = checked(training::log_every_n_step({
    .id = "gpt/log_every_n",
    .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "the GPT.",
    .prepare = prepare,
    .row_seconds = 30,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_log_every_n
