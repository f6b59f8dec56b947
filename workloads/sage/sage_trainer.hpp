// The loop that trains GraphSAGE on sampled batches, in any form of the ladder; a training step as one CUDA
// graph, replayed on batches that all have the same sizes.
#pragma once

#include "workloads/sage/batch_feed.hpp"
#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/partitioned_features.hpp"
#include "workloads/sage/sage_model.hpp"
#include "workloads/sage/sage_switches.hpp"
#include "workloads/sage/sample_processes.hpp"
#include "workloads/training/data_parallel.hpp"
#include "workloads/training/network.hpp"
#include "workloads/training/optimizer.hpp"
#include "workloads/training/training_log.hpp"

namespace at::cuda {

struct CUDAGraph;

}

namespace workloads::sage {

class CapturedStep {
 public:
  /// Forward, backward and optimizer on a batch; gives the loss.
  using Train = std::function<at::Tensor(const Batch&)>;

  explicit CapturedStep(training::NamedTensors parameters);
  ~CapturedStep();
  CapturedStep(const CapturedStep&) = delete;
  CapturedStep& operator=(const CapturedStep&) = delete;

  /// Trains a padded batch and gives its loss, a tensor of its own. The first one is captured: `rehearse`
  /// then does what `train` does, without any effect.
  at::Tensor operator()(const Batch& batch, const Train& train,
                        const std::function<void(const Batch&)>& rehearse);

 private:
  void capture(const Batch& batch, const Train& train, const std::function<void(const Batch&)>& rehearse);

  training::NamedTensors parameters_;
  Batch batch_;  // in memory that stays
  at::Tensor loss_;
  std::vector<at::Tensor> gradients_;
  std::unique_ptr<at::cuda::CUDAGraph> graph_;
};

/// What all forms have in common.
struct Job {
  std::shared_ptr<const Graph> graph;
  std::vector<std::int64_t> fan_outs = {15, 10, 5};
  std::int64_t hidden = 256;
  std::int64_t batch_size = 128;
  double learning_rate = 0.003;
  int workers = 2;        // where the form has any
  int batches_ready = 2;  // per worker
  double scale = 0;       // as asked for, or as fits a device; 0: the size for a CPU
  std::uint64_t seed = 0;
  at::Device device = at::kCPU;
  at::ScalarType type = at::kFloat;  // of parameters and layers
  // A batch's seeds in so many parts, each with a sample of its own; with a rank it takes the part of its
  // number, and has that part of the features.
  std::int64_t parts = 1;
  std::shared_ptr<const harness::Rank> rank = {};
};

/// Where a step's time goes, in seconds, with the device waited for behind batch and training: how long it
/// waits for the sample, for the gather in the loop and for the copies, and its training; and the last batch.
struct Parts {
  double sample = 0, gather = 0, copy = 0, train = 0;
  Subgraph graph = {};
};

/// Two trainers with the same job see the same batches and the same samples in the same order.
class Trainer {
 public:
  /// Throws harness::BadInput where the graph's training nodes do not fill one batch.
  Trainer(Job job, const Switches& switches);

  /// Back to the first parameters and the first batch.
  void restart();
  /// To batch `batch` of the first epoch, round and round, with the parameters as they are. Forgets the
  /// losses.
  void rewind(std::int64_t batch);
  /// Sample, gather, copy, forward, backward, update: one batch, without workers.
  void step();
  /// So many steps in a row, with the workers and copies ahead that the form has, which start here.
  void steps(std::int64_t count);
  /// The same, part by part.
  Parts timed_step();
  Parts timed_steps(std::int64_t count);
  /// A step in parts, without effect.
  void rehearse();
  /// Loss and norm of all gradients, over all ranks, behind the first step.
  std::vector<float> first_step() const;
  /// Over four batches of the nodes behind those that are learned from.
  double validation_loss() const;

  std::int64_t batches_per_epoch() const { return std::ssize(course_.batches()); }
  /// On the host. Throws std::runtime_error where one is not finite.
  std::vector<float> losses() const { return course_.finite_losses(); }
  /// The losses; and of each parameter the norms of its last gradient and of its way since `restart`.
  std::vector<float> answer() const;
  const training::NamedTensors& parameters() const { return model_.parameters(); }
  const Switches& switches() const { return switches_; }

 private:
  Order order() const;
  Order next_order();
  std::vector<Order> next_orders(std::int64_t count);
  FeedPlan plan_of_steps() const;
  Parts timed(std::int64_t count, const FeedPlan& plan);
  void run(std::int64_t count, const FeedPlan& plan);
  at::Tensor loss(const Batch& batch) const;
  at::Tensor learn(const Batch& batch);
  at::Tensor add_gradients_of(const Order& part, double share);
  at::Tensor learn_in_parts(const Order& order);
  void step_in_parts();
  void train(const Batch& batch);

  Job job_;
  Switches switches_;
  Feed feed_;
  Model model_;
  training::NamedTensors first_;  // parameters
  std::optional<training::Optimizer> optimizer_;
  std::unique_ptr<CapturedStep> captured_;
  std::unique_ptr<SampleProcesses> processes_;
  std::optional<PartitionedFeatures> partition_;
  std::unique_ptr<training::GradientExchange> exchange_;
  training::Course course_;
};

}  // namespace workloads::sage
