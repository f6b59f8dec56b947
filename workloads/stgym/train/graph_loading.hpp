// Batches in order: made where they are asked for, or ahead of time by loader workers.
#pragma once

#include "harness/support/thread_loader.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/resident_graphs.hpp"

namespace workloads::stgym {

/// Graph numbers, batch by batch.
using Batches = std::vector<std::vector<std::int64_t>>;

/// What a loader's workers are. Threads share the data set; processes map it and pass batches
/// through shared memory, which a device's memory cannot.
enum class Workers : std::int64_t { threads, processes };

struct LoadPlan {
  std::shared_ptr<const Dataset> dataset;  // on the host or on `device`
  at::Device device;                       // where batches are wanted
  int workers = 0;                         // 0: next() makes the batch itself
  Workers kind = Workers::threads;
  std::int64_t graphs = 0;                           // of a batch at most: what processes reserve memory for
  std::shared_ptr<const Neighbourhoods> built = {};  // empty: built on every access, always by processes
  /// Of data on the host, without workers: each graph moves by itself, and the batch is joined on the device.
  bool graphs_move_alone = false;
  /// Not empty: batches are rows of it, unless by processes.
  std::shared_ptr<const ResidentGraphs> resident = {};
  /// Of data and batches on the host, unless by processes: a batch's features are views of the data set's.
  bool features_stay = false;
};

class ProcessFeed;  // feeds.hpp

/// Makes the batches of one pass after the other. Threads start anew with each pass, as is PyTorch's default;
/// processes stay (PyTorch's persistent_workers), since starting one costs more than an epoch.
class BatchLoader {
 public:
  /// Throws Skip where there is no memory for the batches of worker processes.
  explicit BatchLoader(LoadPlan plan);
  ~BatchLoader();
  BatchLoader(const BatchLoader&) = delete;  // its workers know where it lies
  BatchLoader& operator=(const BatchLoader&) = delete;

  /// Begins a pass; the pass before is over or given up. Processes need the number of batches to stay.
  void begin(const Batches& batches);
  /// The next batch, on the device, valid until the next call; nothing once the pass is over.
  std::optional<Batch> next();

 private:
  std::optional<Batch> wait_for_batch();

  LoadPlan plan_;
  Batches batches_;
  std::unique_ptr<harness::ThreadLoader<Batch>> threads_;
  std::unique_ptr<ProcessFeed> processes_;
};

}  // namespace workloads::stgym
