// Batches of a sampled graph: sampled, gathered, copied, each where a form wants it.
#pragma once

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/neighbour_sampler.hpp"
#include "workloads/sage/sage_model.hpp"
#include "workloads/sage/sage_switches.hpp"
#include "workloads/training/dataset.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace workloads::sage {

struct Batch {
  Subgraph graph = {};
  at::Tensor nodes = {};     // [nodes], in the whole graph
  at::Tensor features = {};  // [nodes, features]; undefined until they are gathered
  at::Tensor labels = {};    // [seeds]
};

/// Seeds, and what their sample is drawn by.
struct Order {
  training::Numbers seeds;
  std::uint64_t seed = 0;
};

class Feed {
 public:
  Feed(std::shared_ptr<const Graph> graph, std::vector<std::int64_t> fan_outs, const Switches& switches,
       at::Device device);

  /// Sampled, on the host; without features.
  Batch sampled(const Order& order) const;
  /// Adds the features, unless the device has them all.
  void gather(Batch& batch) const;
  /// The copies are queued where the form has pinned memory.
  Batch on_device(const Batch& batch) const;

 private:
  at::Tensor for_copies(const at::Tensor& tensor) const;

  std::shared_ptr<const Graph> graph_;
  std::vector<std::int64_t> fan_outs_;
  Switches switches_;
  at::Device device_;
  bool pinned_;
  at::Tensor features_;  // as they lie in memory: FP32 or BF16, on the host or on the device
};

/// Who makes batches.
struct FeedPlan {
  int workers = 0;     // threads; 0: `next`
  int ready = 2;       // batches that may lie ready or in work, per worker
  bool ahead = false;  // copied on a stream of its own, one batch ahead; a CUDA device's
};

/// The batches of some orders on the device, one after the other. The feed must live as long.
class Feeding {
 public:
  /// Starts the workers.
  Feeding(const Feed& feed, const Switches& switches, const FeedPlan& plan, at::Device device,
          std::vector<Order> orders);
  ~Feeding();
  Feeding(const Feeding&) = delete;
  Feeding& operator=(const Feeding&) = delete;

  /// Throws std::out_of_range behind the last one.
  Batch next();

 private:
  struct State;  // threads, streams and events
  std::unique_ptr<State> state_;
};

}  // namespace workloads::sage
