// Batches of an epoch made by worker threads, or copied to the device while the batch before is trained.
#pragma once

#include "workloads/training/dataset.hpp"

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

namespace workloads::training {

/// Where batches come from, and where they go.
struct LoadPlan {
  Feed feed;
  at::Device device = at::kCPU;
  int workers = 0;     // threads that make batches; 0: `next` makes them
  int ready = 2;       // batches that may lie ready or in work, per worker
  bool ahead = false;  // copied from pinned memory on a stream of its own, one batch ahead; a CUDA device's
};

/// The given batches, in order, on the device.
class Loading {
 public:
  /// Starts the workers.
  Loading(LoadPlan plan, std::vector<Numbers> batches);
  ~Loading();
  Loading(const Loading&) = delete;
  Loading& operator=(const Loading&) = delete;

  /// The next batch. Throws std::out_of_range behind the last one.
  Sample next();

 private:
  struct State;  // threads, streams and events
  std::unique_ptr<State> state_;
};

}  // namespace workloads::training
