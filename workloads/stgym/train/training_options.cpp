#include "workloads/stgym/train/training_options.hpp"

#include "harness/core/parse_number.hpp"

#include "workloads/settings/train_settings.hpp"
#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/data_option.hpp"
#include "workloads/training/size.hpp"

#include <fmt/format.h>

#include <iterator>
#include <numbers>

namespace workloads::stgym {

std::vector<harness::catalogue::Option> options() {
  return {
      {"data", "SOURCE",
       "STGym's data: synthetic (default), breast-cancer=FILE, human-crc=FILE or brca=FILE (CSV)", "stgym/"},
      {"scale", "FACTOR",
       "How large a workload is, 1 being a GPU's size: nodes per synthetic graph of STGym (on the CPU 1/256 "
       "of them by default)",
       "stgym/"},
      {"epochs", "N", "Train STGym this many epochs for the accuracy beside an epoch's time; default 2",
       "stgym/"},
      {"batch-size", "N", "Put this many graphs into one of STGym's batches; default 16", "stgym/"},
      {"config", "FILE",
       "Take another of STGym's models and tasks: JSON with its field names, or benchmark, clustering, deep "
       "or graphs",
       "stgym/"}};
}

/// The data set of 5.7 GB and about 4 GB of a naive step, estimated.
constexpr training::Gigabytes needed{11, 3.5, 1.5};

TrainingOptions training_options(const harness::Options& options) {
  TrainingOptions standard;
  if (const auto configuration = space::configuration_in(options))
    standard = {.epochs = configuration->train.max_epoch,
                .batch_size = configuration->data_loader.batch_size};
  return {.epochs = settings::count_option(options, "epochs", standard.epochs),
          .batch_size = settings::count_option(options, "batch-size", standard.batch_size)};
}

harness::Options data_options(const harness::Options& options, const harness::Device& device) {
  auto all = options;
  const bool synthetic = space::data_option(options).file.empty();
  if (!synthetic || all.contains("scale")) return all;
  const auto scale = device.is_cuda() ? training::fitting_scale(device, needed) : 1. / 256;
  if (scale != 1) all["scale"] = fmt::format("{}", scale);
  return all;
}

Split split_for(const Dataset& dataset, const std::optional<space::Configuration>& configuration,
                std::uint64_t seed) {
  return configuration ? split(dataset, configuration->data_loader.split, seed) : split(dataset, seed);
}

void require_variance(const Dataset& dataset, const space::Configuration& configuration, const Split& split,
                      std::int64_t batch_size) {
  const auto graphs = std::ssize(split.train);
  if (configuration.task.type == space::TaskType::graph_classification && graphs % batch_size == 1 &&
      configuration.model.post_mp_layer->style.use_batchnorm)
    throw harness::BadInput(fmt::format(
        "{}: data_loader.batch_size: {} leaves a single graph of {} for the last batch, from which "
        "a batch norm cannot learn",
        dataset.source, batch_size, graphs));
}

training::Recipe recipe_of(const space::OptimizerConfig& optimizer) {
  return {.algorithm = optimizer.optimizer == space::OptimizerType::adam ? training::Algorithm::adam
                                                                         : training::Algorithm::sgd,
          .learning_rate = optimizer.base_lr,
          .momentum = optimizer.momentum,
          .weight_decay = optimizer.weight_decay};
}

double learning_rate(const space::TrainConfig& train, std::int64_t epoch, std::int64_t epochs) {
  if (train.lr_schedule == space::ScheduleType::constant) return train.optim.base_lr;
  const auto share = static_cast<double>(epoch) / static_cast<double>(epochs);
  return train.optim.base_lr * (1 + std::cos(std::numbers::pi * share)) / 2;
}

}  // namespace workloads::stgym
