// Batches of a sampled graph: sampled, gathered, copied, each where a form wants it.
#pragma once

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/device_sampler.hpp"
#include "workloads/sage/neighbour_sampler.hpp"
#include "workloads/sage/sage_model.hpp"
#include "workloads/sage/sage_switches.hpp"
#include "workloads/training/dataset.hpp"

namespace workloads::sage {

struct Batch {
  Subgraph graph = {};
  at::Tensor nodes = {};     // [nodes], in the whole graph; the seeds, where the device will sample
  at::Tensor features = {};  // [nodes, features]; undefined until they are gathered
  at::Tensor labels = {};    // [seeds]; -100, which the loss leaves out, for padding
  bool is_padded = false;    // to the room that the feed was given
  std::uint64_t seed = 0;    // of the sample
};

/// Seeds, and what their sample is drawn by.
struct Order {
  training::Numbers seeds;
  std::uint64_t seed = 0;
};

class Feed {
 public:
  /// With `room`, samples that fit are padded to it.
  Feed(std::shared_ptr<const Graph> graph, std::vector<std::int64_t> fan_outs, const Switches& switches,
       at::Device device, std::optional<Room> room = {});

  /// Sampled, on the host; without features. Where the device samples, the seeds alone.
  Batch sampled(const Order& order) const;
  /// Adds the features, unless the device gathers them.
  void gather(Batch& batch) const;
  /// The copies are queued where the form has pinned memory, into which `pinned` moves what lies elsewhere.
  Batch on_device(const Batch& batch) const;
  Batch pinned(Batch batch) const;

 private:
  at::Tensor for_copies(const at::Tensor& tensor) const;
  at::Tensor labels_of(const training::Numbers& seeds, std::int64_t count) const;

  std::shared_ptr<const Graph> graph_;
  std::vector<std::int64_t> fan_outs_;
  Switches switches_;
  at::Device device_;
  bool pinned_;
  std::optional<Room> room_;
  at::Tensor features_;  // as the host gathers them: FP32 or BF16
  std::optional<DeviceRows> rows_;
  std::optional<DeviceSampler> sampler_;
};

class SampleProcesses;  // sample_processes.hpp

/// Who makes batches.
struct FeedPlan {
  int workers = 0;     // threads; 0: `next`, or the processes
  int ready = 2;       // batches that may lie ready or in work, per worker
  bool ahead = false;  // copied on a stream of its own, one batch ahead; a CUDA device's
  SampleProcesses* processes = nullptr;
};

/// What the caller of `next` has waited for so far, in seconds: samples, which workers may gather too, and
/// gathers of its own.
struct Waits {
  double sample = 0, gather = 0;
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
  const Waits& waits() const;

 private:
  struct State;  // threads, streams and events
  std::unique_ptr<State> state_;
};

}  // namespace workloads::sage
