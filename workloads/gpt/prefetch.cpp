// Copy the next batch to the device from pinned memory while this one is trained.
//
// Question: A step waits for a batch of 16 pieces of text. How much of that wait does a copy ahead hide?
//
// Lesson: workloads/training/rungs/prefetch.hpp
//
// The row times an epoch on batches of 16 pieces of 64 characters, its validation included: the kept rungs
// below this one against those rungs and this change. It is a branch until a device has shown that it pays.

#include "workloads/training/rungs/prefetch.hpp"

#include "workloads/gpt/rung.hpp"

namespace workloads::gpt_prefetch {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host has no second memory that batches would be copied to");
  return gpt::trial(setup, &training::Switches::prefetch, training::TimedUnit::epoch);
}

}  // namespace

extern constexpr Step step = checked(training::prefetch_step({
    .id = "gpt/prefetch",
    .claim = "Pinned memory and copies one batch ahead shorten an epoch of the GPT.",
    .prepare = prepare,
    .row_seconds = 60,
    .tolerance = gpt::other_order,
}));

}  // namespace workloads::gpt_prefetch
