// The workload's options: what the command line lists, and what training reads; and what a configuration says
// of a training beside its model: split, learning rate, when to stop.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/setup.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/training/optimizer.hpp"

#include <limits>

namespace workloads::stgym {

/// --data, --scale, --epochs, --batch-size, --config, as `--help` shows them.
std::vector<harness::catalogue::Option> options();

struct TrainingOptions {
  std::int64_t epochs = 2;
  std::int64_t batch_size = 16;
};

/// What --config says where they are not given. Throws BadInput unless --epochs and --batch-size are whole
/// numbers above 0.
TrainingOptions training_options(const harness::Options& options);

/// The options of the data set. Without --scale, synthetic data have the largest size that fits a GPU,
/// and 1/256 of the nodes on the host, where a full-size step takes seconds.
harness::Options data_options(const harness::Options& options, const harness::Device& device);

/// The configuration's split; without one the published 70 / 15 / 15.
Split split_for(const Dataset& dataset, const std::optional<space::Configuration>& configuration,
                std::uint64_t seed);

/// Throws BadInput where a batch norm behind the readout would learn from a batch of one graph: that is one
/// row, which has no variance.
void require_variance(const Dataset& dataset, const space::Configuration& configuration, const Split& split,
                      std::int64_t batch_size);

/// What its optimizer is to the training loop: Adam, or SGD with momentum, weight decay added to the
/// gradient.
training::Recipe recipe_of(const space::OptimizerConfig& optimizer);

/// The rate of an epoch, from 0: the base rate, or its cosine annealing to 0 over all epochs.
double learning_rate(const space::TrainConfig& train, std::int64_t epoch, std::int64_t epochs);

/// Counts the validations since the lowest loss.
class Patience {
 public:
  void note(double loss) {
    const bool lower = loss < lowest_;
    if (lower) lowest_ = loss;
    since_ = lower ? 0 : since_ + 1;
  }
  /// True if the loss has not fallen for as long as the configuration waits.
  bool is_over(const std::optional<space::EarlyStopping>& stopping) const {
    return stopping && since_ >= stopping->patience;
  }

 private:
  double lowest_ = std::numeric_limits<double>::infinity();
  std::int64_t since_ = 0;
};

}  // namespace workloads::stgym
