// With the data set on the host: pinned memory, and the next batch's copy during this one's step.
//
// Question: 575 MB a batch over the link, hidden behind a step on data that are there: how much of the copy
// is left to see?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// A data set that does not fit on the device lies in host memory, and every batch moves: at full size 575 MB.
// From pageable memory the driver copies it through its own small pinned buffer while the host waits, and the
// device idles. From pinned memory a copy is queued and runs by itself; on its own stream it runs while the
// multiprocessors train the previous batch. Only the part longer than a step remains.
//
// When it does not matter: where the data set fits on the device (5.7 GB here); on the host, which has
// nothing to copy to: the row is skipped there. It is a branch, since the ladder's data are resident.
//
// `against:host` is the gain that the advice promises, against pageable copies when the loop requests the
// batch; both sides copy graph by graph and join the batch on the device. `against:resident` is the honest
// comparison: the data set on the device from the start, as the published code has it. A step's products with
// x are 74 GFLOP, 7 ms of an A30 at its peak in FP32, and 575 MB take 18 ms of a PCIe 4 link of 16 lanes at
// its peak (31.5 GB/s): prefetching can come near a resident data set only where steps are longer than
// copies.
//
// Promise: the same bits in losses and parameters, up to the order of a device's atomics.
//
// Answer: By peaks of an A30 and PCIe 4, 18 ms of copy less 7 ms of products: 11 ms or more at full size.
// Only steps longer than the copy hide all of it; resident data have no copy at all.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_prefetch {

using namespace harness;

enum class Other : std::int64_t { host, resident };
constexpr Axis axes[] = {
    {.name = "against",
     .about =
         "host: data in pageable host memory, copied when a batch is asked for; resident: the data set on "
         "the device from the start",
     .quick = {0},
     .labels = {"host", "resident"}},
    stgym::unit_axis(stgym::step_and_epoch, stgym::only_step)};

Trial prepare(Setup& setup, const Point& point) {
  if (!setup.device.is_cuda()) throw Skip("the host has no second memory that batches would be copied to");
  const bool resident = Other{point["against"]} == Other::resident;
  return stgym::forms_trial(setup, {.naive = stgym::below(&stgym::Switches::prefetch),
                                    .optimized = stgym::with(&stgym::Switches::prefetch),
                                    .unit = stgym::TimedUnit{point["unit"]},
                                    .data = resident ? stgym::Data::device : stgym::Data::host,
                                    .optimized_data = stgym::Data::pinned,
                                    .graphs_move_alone = true});
}

extern constexpr Step step = checked(stgym::our_step({
    .id = "stgym/prefetch",
    .claim = "Pinned memory and copies one batch ahead shorten a training step of data that lie on the host.",
    .source = {.title = "PyTorch, CUDA semantics",
               .url = "https://docs.pytorch.org/docs/stable/notes/cuda.html",
               .where = "Use pinned memory buffers"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "against:host"},
}));

}  // namespace workloads::stgym_prefetch
