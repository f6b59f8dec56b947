// Show the loss every 50 steps, not in each step.
//
// Question: A step of this GPT is short. What does one line of output a step cost beside it?
//
// To print the loss the host needs its value. On a device it waits until all queued work is done, and while
// it then queues the next step the device idles. Each line is also formatted and written.
//
// When it does not matter: on a CPU nothing is queued, so only the line itself is saved.
//
// The row times a training step on batches of 16 pieces of 64 characters: the kept rungs below this one
// against the same with it.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_log_every_n {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  return gpt::trial(setup, &training::Switches::log_every_n);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/log_every_n",
    .claim = "Reading and printing the loss every 50 steps instead of in each shortens a training step of "
             "the GPT.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Avoid unnecessary CPU-GPU synchronization"},
    .runs = Runs::session,
    .axes = training::step_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 30,
    .full_only = true,
});

}  // namespace workloads::gpt_log_every_n
