#include "workloads/resnet50/rung.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/resnet50/data.hpp"
#include "workloads/resnet50/model.hpp"
#include "workloads/settings/number_options.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace workloads::resnet50 {
namespace {

constexpr training::Split few{.training = 128, .validation = 64};
constexpr std::uint64_t data_seed = 1;

training::Dataset dataset(const harness::Setup& setup, training::Split split) {
  const auto folder = setup.option("cifar10", "");
  if (folder.empty()) return drawn_images(split.training, split.validation, data_seed);
  return read_cifar10(folder, split.training, split.validation);
}

training::Network make(at::TensorOptions options) { return network(image_classes, options); }

}  // namespace

training::Job job(harness::Setup& setup) { return job(setup, few); }

training::Job job(harness::Setup& setup, training::Split split) {
  const auto key = fmt::format("resnet50/dataset/{}+{}", split.training, split.validation);
  const auto data = setup.shared<training::Dataset>(key, [&] { return dataset(setup, split); });
  return {.name = "resnet50",
          .dataset = data,
          .make = make,
          .python = python(),
          .gain = 2,  // for ReLU
          .recipe = {.learning_rate = 1e-3, .weight_decay = 0.01},
          .batch_size = settings::count_option(setup.options, "batch-size", 8),
          .batch_norm = true,
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

}  // namespace workloads::resnet50
