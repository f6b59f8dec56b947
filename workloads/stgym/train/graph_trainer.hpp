// The training loop, in any form of the ladder.
#pragma once

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/compiled_classifier.hpp"
#include "workloads/stgym/train/feeds.hpp"
#include "workloads/stgym/train/graph_learner.hpp"
#include "workloads/stgym/train/graph_loading.hpp"
#include "workloads/stgym/train/graphed_steps.hpp"
#include "workloads/stgym/train/training_options.hpp"
#include "workloads/training/data_parallel.hpp"
#include "workloads/training/host_products.hpp"
#include "workloads/training/optimizer.hpp"
#include "workloads/training/training_log.hpp"

namespace workloads::stgym {

/// What all forms of one run have in common.
struct Job {
  std::shared_ptr<const Dataset>
      dataset;        // on the device of training, or on the host; prefetch: pinned there
  at::Device device;  // of training
  TrainingOptions options;
  std::uint64_t seed = 0;                                  // of split, batches and first parameters
  Workers loader_kind = Workers::threads;                  // what the workers are, where the form has any
  bool graphs_move_alone = false;                          // LoadPlan's
  std::optional<space::Configuration> configuration = {};  // nothing: the published benchmark
  int loader_workers = 5;                                  // where the form has any
  std::int64_t validation_batch = 0;                       // graphs; 0: as in training
  double rate_factor = 1;                                  // of the configuration's learning rate
  std::optional<training::DataParallel> data_parallel =
      {};                                // steps with other processes, a share of a batch each
  std::int64_t parts = 1;                // that such a share is trained in
  training::LibrariesOf libraries = {};  // that multiply on the host, where the form asks for the faster ones
};

/// What there is to do.
struct Extent {
  ModelShape shape;             // of the published model, if that is what is trained
  double training_nodes = 0;    // of all training graphs
  double validation_nodes = 0;  // of all validation graphs
};

/// One model in training. Two trainers with the same job see the same batches in the same order.
class Trainer {
 public:
  Trainer(Job job, const Switches& switches);
  Trainer(Trainer&&) = delete;  // its course of batches and its captured steps call it

  /// Back to the first parameters and the first batch. Runs two validation batches, as Lightning does before
  /// it trains, so that a broken evaluation shows at once.
  void restart();
  /// To batch `batch` of the first epoch (of so many as there are, from 0, round and round) with the
  /// parameters as they are. Forgets the losses, once they are known to be finite.
  void rewind(std::int64_t batch);
  /// To the first batch of an epoch, likewise.
  void rewind_to_epoch(std::int64_t epoch);
  /// The batch of the first epoch whose nodes are closest to those of a mean one.
  std::int64_t typical_batch() const;
  double nodes_of(std::int64_t batch) const;
  /// The next batch: fetched, forward, backward, optimizer. Goes on into the next epoch; behind the last one
  /// the batches are those of the first again.
  void step();
  /// What `step` does, the optimizer included; parameters and moments are put back, batches and losses stay
  /// as they are. With cuda_graph it captures every batch that any epoch has, so that no capture is left for
  /// a timed step.
  void rehearse();
  /// A validation pass.
  void validate();
  /// Every training batch of the next epoch and a validation pass.
  void epoch();
  /// The test pass that ends a run.
  Scores test();

  /// From now on the steps of epochs and their validations are logged; null: no longer.
  void log_to(std::shared_ptr<training::TrainingLog> log) { log_ = std::move(log); }

  /// Losses of the steps since `restart`, on the host. Throws std::runtime_error where one is not finite,
  /// with the number of the first such batch.
  std::vector<float> losses() const { return course_.finite_losses(); }
  /// Of the only step since `restart` or `rewind`: its loss and the norm of all gradients, over all ranks.
  std::vector<float> first_step() const;
  /// After all epochs, or as many without a lower validation loss as the configuration has patience for.
  bool finished() const { return course_.epoch() >= job_.options.epochs || stopped_early(); }
  bool stopped_early() const { return patience_.is_over(configuration_.train.early_stopping); }
  bool trains_published_model() const;
  /// Of products: what precision "medium" takes on a device.
  bool in_tf32() const { return switches_.matmul_medium && job_.device.is_cuda(); }
  std::int64_t batches_per_epoch() const { return std::ssize(course_.batches()); }
  std::int64_t training_graphs() const { return static_cast<std::int64_t>(split_.train.size()); }
  Extent extent() const;
  /// True if each batch comes from the host's memory to a device.
  bool moves_batches() const { return job_.device.is_cuda() && !job_.dataset->x.is_cuda(); }
  const Scores& validation() const { return scores_; }
  /// That the compiler took; 0 where the form is not compiled.
  double compile_seconds() const { return compiled_ ? compiled_->compile_seconds() : 0; }
  const HostIndices& host_indices() const { return learner_->host_indices(); }

 private:
  void set_learning_rate();
  at::Tensor learn_rehearsed(const std::vector<std::int64_t>& graphs);
  at::Tensor learn(const Batch& batch);
  /// The rank's share of the batch: its loss, and the gradients of all ranks.
  at::Tensor add_gradients_with_others(const std::vector<std::int64_t>& graphs);
  at::Tensor learn_with_others(const std::vector<std::int64_t>& graphs);
  /// The batch at the cursor, which moves on. With prefetch the copies of `then` are queued meanwhile;
  /// nothing: of the next training batch.
  void learn_next(const std::vector<std::int64_t>* then = nullptr);
  Batches batches_of_epoch(std::int64_t epoch) const;
  std::unique_ptr<GraphedSteps> graphed_steps();
  std::unique_ptr<CompiledStep> compiled_step();
  void log_step(const std::vector<std::int64_t>& graphs);
  void note_validation();
  Scores evaluate_on(const Batches& batches);
  Scores evaluate_ahead(const Batches& batches);

  space::Configuration configuration_;
  Switches switches_;  // those that the model knows
  Job job_;
  Split split_;
  training::Course course_;
  Batches validation_, test_;
  std::unique_ptr<Learner> learner_;
  std::shared_ptr<const Neighbourhoods> built_;
  std::shared_ptr<const ResidentGraphs> resident_;        // Switches::rows_in_place
  std::unique_ptr<PrefetchFeed> ahead_;                   // Switches::prefetch
  std::unique_ptr<GraphedSteps> graphed_;                 // Switches::cuda_graph
  std::unique_ptr<CompiledStep> compiled_;                // Switches::compiled
  std::unique_ptr<training::GradientExchange> exchange_;  // Job::data_parallel
  BatchLoader alone_;                                     // makes a batch when it is asked for
  BatchLoader epochs_;                                    // with the form's workers
  std::optional<training::Optimizer> optimizer_;
  Patience patience_;
  Scores scores_;
  std::shared_ptr<training::TrainingLog> log_;
};

}  // namespace workloads::stgym
