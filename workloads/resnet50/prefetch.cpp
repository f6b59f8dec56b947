// Copy the next batch to the device from pinned memory while this one is trained.
//
// Question: A step waits for a batch of 8 images whose bytes become numbers from -1 to 1. How much of that
// wait does a copy ahead hide?
//
// From pageable memory the driver copies a batch through its own small pinned buffer while the host waits.
// From pinned memory the copy is queued and runs by itself; on a stream of its own it runs while the
// multiprocessors train the batch before. Making the next batch then also falls into this step's time,
// because the host is done with queueing before the device is done with working.
//
// What it costs: a further copy on the host, into pinned memory, and a batch more on the device. When it
// does not matter: where a batch is small beside its step, as here, and on the CPU, which has nothing to
// copy to: the row is skipped there.
//
// The row times an epoch on batches of 8 images of 64 x 64, its validation included: the kept rungs below
// this one against the same with it. It is a branch until a device has shown that it pays.

#include "workloads/resnet50/rung.hpp"

namespace workloads::resnet50_prefetch {
namespace {

using namespace harness;

Trial prepare(Setup& setup, const Point& /*point*/) {
  if (!setup.device.is_cuda()) throw Skip("the host has no second memory that batches would be copied to");
  auto forms = training::rung_forms(&training::Switches::prefetch);
  forms.unit = training::TimedUnit::epoch;
  return resnet50::trial(setup, forms);
}

}  // namespace

extern constexpr Step step = checked({
    .id = "resnet50/prefetch",
    .claim = "Pinned memory and copies one batch ahead shorten an epoch of ResNet-50.",
    .source = {.title = "PyTorch, CUDA semantics",
               .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
               .where = "Use pinned memory buffers"},
    .runs = Runs::session,
    .axes = training::epoch_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .cuda_tolerance = training::other_order,
    .row_seconds = 60,
    .full_only = true,
});

}  // namespace workloads::resnet50_prefetch
