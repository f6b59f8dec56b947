// A graph of the whole step, forward, backward and update, is one launch. It repeats addresses and shapes, so
// each batch is copied into the same tensors first; batches here have one size, and one graph serves all.
//
// What it costs: memory that the graph keeps for itself, a capture, which is not timed, and a step that must
// never ask the device anything: no `.item()`, no loss scale that looks for overflow on the host.
//
// When it does not matter: where the device is the slower of the two anyway. On the host there is nothing to
// launch, and the row is skipped.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Step cuda_graph_step(const OwnRecord& own) {
  auto step = rung_step(own, cuda_semantics("CUDA Graphs, whole-network capture"));
  step.tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
