// From pageable memory the driver copies a batch through its own small pinned buffer while the host waits.
// From pinned memory the copy is queued and runs by itself; on a stream of its own it runs while the
// multiprocessors train the batch before. Making the next batch then also falls into this step's time,
// because the host is done with queueing before the device is done with working.
//
// What it costs: a further copy on the host, into pinned memory, and a batch more on the device. When it does
// not matter: where a batch is small beside its step, as here, and on the CPU, which has nothing to copy to:
// the row is skipped there.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step prefetch_step(const OwnRecord& own) {
  auto step = rung_step(own, cuda_semantics("Use pinned memory buffers"));
  step.axes = epoch_axes;
  step.cuda_tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
