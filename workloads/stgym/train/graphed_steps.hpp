// Training steps as CUDA graphs, one for each bucket: what stgym/cuda_graph switches to.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/padded_batch.hpp"
#include "workloads/stgym/train/resident_graphs.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace at::cuda {
struct CUDAGraph;
}

namespace workloads::stgym {

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
