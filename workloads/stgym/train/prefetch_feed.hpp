// Batches from pinned host memory, copied while the batch before is trained: what stgym/prefetch switches to.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace workloads::stgym {

/// The data set with features and labels in pinned memory: from pageable memory the host would wait for each
/// piece of a copy. Throws Skip where there is not so much memory.
Dataset pinned(Dataset dataset);

class PrefetchFeed {
 public:
  /// Of a data set in pinned host memory (pinned()), to batches on `device`, where `built` has its edges:
  /// they are few and stay there.
  PrefetchFeed(std::shared_ptr<const Dataset> dataset, std::shared_ptr<const Neighbourhoods> built,
               at::Device device);
  ~PrefetchFeed();
  PrefetchFeed(const PrefetchFeed&) = delete;
  PrefetchFeed& operator=(const PrefetchFeed&) = delete;

  /// Queues the copies of this batch on the feed's own stream.
  void begin(const std::vector<std::int64_t>& graphs);
  /// The batch of these graphs. The current stream waits for its copies, the host does not; where they were
  /// not begun, they are now.
  Batch take(const std::vector<std::int64_t>& graphs);

 private:
  struct State;  // the CUDA part
  std::unique_ptr<State> state_;
};

}  // namespace workloads::stgym
