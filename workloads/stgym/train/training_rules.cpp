#include "workloads/stgym/train/training_rules.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <stdexcept>

namespace workloads::stgym {

Split split_for(const Dataset& dataset, const std::optional<space::Configuration>& configuration,
                std::uint64_t seed) {
  return configuration ? split(dataset, configuration->data_loader.split, seed) : split(dataset, seed);
}

void require_variance(const Dataset& dataset, const space::Configuration& configuration, const Split& split,
                      std::int64_t batch_size) {
  const auto graphs = std::ssize(split.train);
  if (configuration.task.type == space::TaskType::graph_classification && graphs % batch_size == 1 &&
      configuration.model.post_mp_layer->style.use_batchnorm)
    throw harness::BadInput(
        fmt::format("{}: data_loader.batch_size: {} leaves a single graph of {} for the last batch, "
                    "from which a batch norm cannot learn",
                    dataset.source, batch_size, graphs));
}

double learning_rate(const space::TrainConfig& train, std::int64_t epoch, std::int64_t epochs) {
  if (train.lr_schedule == space::ScheduleType::constant) return train.optim.base_lr;
  const auto share = static_cast<double>(epoch) / static_cast<double>(epochs);
  return train.optim.base_lr * (1 + std::cos(std::numbers::pi * share)) / 2;
}

std::vector<float> finite_losses(const std::vector<at::Tensor>& losses) {
  if (losses.empty()) return {};
  const auto all = at::stack(losses).cpu();
  const auto* data = all.const_data_ptr<float>();
  std::vector<float> values(data, data + all.numel());
  const auto bad = std::ranges::find_if(values, [](float loss) { return !std::isfinite(loss); });
  if (bad != values.end())
    throw std::runtime_error(fmt::format("batch {}: the loss is not finite", bad - values.begin() + 1));
  return values;
}

}  // namespace workloads::stgym
