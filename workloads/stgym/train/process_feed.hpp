// Batches made by worker processes, which pass them through the loader's shared memory.
#pragma once

#include "harness/loader/process_loader.hpp"

#include "workloads/stgym/train/mapped_dataset.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace workloads::stgym {

/// What the program that serves as worker process must know by name.
extern const harness::loader::BatchSource graph_batches;

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
  std::optional<harness::loader::ProcessLoader> loader_;
};

}  // namespace workloads::stgym
