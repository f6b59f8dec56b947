// Training steps as CUDA graphs, one for each bucket, and the batch that they read, in memory that stays
// where it is: what stgym/cuda_graph switches to.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/resident_graphs.hpp"

#include <c10/core/Allocator.h>

#include <compare>

namespace at::cuda {

struct CUDAGraph;

}

namespace workloads::stgym {

/// Room for a batch of so many graphs: more nodes than it has, and at least as many edges.
struct Bucket {
  std::int64_t graphs = 0;
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  auto operator<=>(const Bucket&) const = default;
};

/// The smallest bucket for so many: nodes in steps of 4,096, edges in powers of two from 1,024. So a data set
/// has few of them, and less than 4,096 of a full-size batch's 71,900 rows are padding.
Bucket smallest_bucket(const Bucket& needed);

/// The bucket for these graphs as a batch.
Bucket bucket_for(const std::vector<GraphItem>& graphs);

/// A bucket that holds any batch of at most `batch_size` of these graphs.
Bucket largest_bucket(const std::vector<GraphItem>& graphs, std::int64_t batch_size);

/// What the batches of several buckets lie in, one at a time: each from the beginning.
struct BatchMemory {
  at::Tensor x;         // [N, F] float32
  at::Tensor y;         // [N] int64
  at::Tensor graph_of;  // [N] int64
  at::Tensor edges;     // [2 E] int64
  at::Tensor places;    // [2 E] int64: of the adjacency's values
  at::Tensor weights;   // [E] float32
};

/// Memory for every bucket up to `largest`, with the device and the features of `example`.
BatchMemory batch_memory(const Bucket& largest, const GraphItem& example);

class PaddedBatch {
 public:
  /// The first batch decides about device, features, and whether nodes or graphs are labelled. Lies in
  /// `memory`, which other batches may share as long as each is filled before it is used.
  PaddedBatch(const Bucket& bucket, const std::vector<GraphItem>& first, const BatchMemory& memory);
  /// The same in memory of its own.
  PaddedBatch(const Bucket& bucket, const std::vector<GraphItem>& first);

  /// Copies the graphs in. What is left is padding that changes neither loss nor gradient: nodes without
  /// features behind the last graph, whose label is ignored, and edges of weight 0 from each of them to
  /// itself, over and over. Throws c10::Error where they do not fit the bucket.
  void fill(const std::vector<GraphItem>& graphs);

  /// Always the same tensors. `sizes` has the right length, but its numbers are those of the first graphs.
  const Batch& batch() const { return batch_; }

 private:
  Bucket bucket_;
  Batch batch_;
};

/// What a captured step consists of, on tensors whose addresses stay.
struct GraphedWork {
  GraphsByNumber graphs;                           // joined into fixed tensors
  std::int64_t batch_size = 0;                     // graphs of a batch at most
  std::shared_ptr<const ResidentGraphs> resident;  // not empty: rows of it instead
  std::function<at::Tensor(const Batch&)> train;   // forward, backward and optimizer; gives the loss
  std::function<void(const Batch&)> rehearse;      // forward and backward, without any effect
  std::function<void()> forget_gradients;          // so that each graph makes its own
};

class GraphedSteps {
 public:
  explicit GraphedSteps(GraphedWork work);
  ~GraphedSteps();
  GraphedSteps(const GraphedSteps&) = delete;
  GraphedSteps& operator=(const GraphedSteps&) = delete;

  /// Trains one batch and gives its loss, a tensor of its own. The first batch of a bucket is captured.
  at::Tensor step(const std::vector<std::int64_t>& graphs);
  /// Captures the bucket of these graphs, where it is not yet; trains nothing.
  void prepare(const std::vector<std::int64_t>& graphs);
  /// Forgets every graph: the optimizer's tensors have moved.
  void clear();

 private:
  struct Step;
  Bucket bucket_of(const std::vector<std::int64_t>& graphs) const;
  std::unique_ptr<Step> made_for(const Bucket& bucket, const std::vector<std::int64_t>& graphs);
  const BatchMemory& joined_memory();
  Step& step_for(const std::vector<std::int64_t>& graphs);

  GraphedWork work_;
  // One for all graphs, which never run side by side: what a step needs in between is there once, not once
  // for each bucket.
  c10::MempoolId_t pool_;
  std::optional<BatchMemory> memory_;  // of joined batches: graphs never run side by side
  std::map<Bucket, std::unique_ptr<Step>> steps_;
};

}  // namespace workloads::stgym
