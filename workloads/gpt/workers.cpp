// Let worker threads make the batches.
//
// Question: A batch of 16 pieces of text is made between two steps. Two threads could make it during a
// step: what do they save, and what do they take from the network?
//
// Workers overlap what a sample goes through with the network's step. On a device the host's cores are
// mostly free for that. On a CPU the workers take cores that the network would use, so that the overlap
// gains only what was not parallel before.
//
// When it hurts: where samples are quick to make and the network needs all cores. What it costs: a start
// of the threads in each epoch, which the row includes, and batches that wait in memory.
//
// The row times an epoch on batches of 16 pieces of 64 characters, its validation included: the kept rungs
// below this one against the same with it, two workers with one OpenMP thread each. It is a branch: above
// it all samples are transformed before training, and nothing is left to make.

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_workers {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  auto forms = training::rung_forms(&training::Switches::workers);
  forms.unit = training::TimedUnit::epoch;
  return gpt::trial(setup, forms);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "gpt/workers",
    .claim = "Two loader workers shorten an epoch of the GPT.",
    .source = {.title = "PyTorch Performance Tuning Guide",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html",
               .where = "Enable asynchronous data loading and augmentation"},
    .runs = Runs::session,
    .axes = training::epoch_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 60,
    .full_only = true,
});

}  // namespace workloads::gpt_workers
