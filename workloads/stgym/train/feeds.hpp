// Batches that come ahead of the step: copied from pinned memory, or made by worker processes.
#pragma once

#include "harness/support/process_loader.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/mapped_dataset.hpp"

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

/// What the program that serves as worker process must know by name.
extern const harness::BatchSource graph_batches;

class ProcessFeed {
 public:
  /// Shares the data set, which lies on the host. Workers start with the first pass.
  ProcessFeed(std::shared_ptr<const Dataset> dataset, int workers);
  /// What the slots of a feed with batches of so many graphs may take.
  static std::size_t slot_bytes(const Dataset& dataset, int workers, std::size_t graphs);

  /// Begins a pass. Every pass has as many batches as the first, and none has more graphs than the largest of
  /// the first. Throws std::logic_error in the middle of one.
  void begin(const Batches& batches);
  /// The next batch, on the host, valid until the next call; nothing once the pass is over.
  std::optional<Batch> next();

 private:
  std::shared_ptr<const Dataset> dataset_;
  int workers_;
  MappedDataset mapped_;
  std::optional<harness::ProcessLoader> loader_;
};

}  // namespace workloads::stgym
