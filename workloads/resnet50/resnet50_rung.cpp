#include "workloads/resnet50/resnet50_rung.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/resnet50/resnet50_data.hpp"
#include "workloads/resnet50/resnet50_model.hpp"
#include "workloads/settings/train_settings.hpp"
#include "workloads/training/size.hpp"

#include <ATen/ATen.h>

namespace workloads::resnet50 {
namespace {

constexpr training::Split few{.training = 128, .validation = 64};
constexpr training::Split on_device{.training = 256, .validation = 64};
constexpr std::uint64_t data_seed = 1;

/// Worked out: 20 bytes for each parameter, of four forms; and thrice what a backward pass finds, since
/// captured steps keep theirs.
constexpr training::Gigabytes needed{20, 7, 4};

training::Dataset dataset(const harness::Setup& setup, training::Split split, std::int64_t side) {
  const auto folder = setup.option("cifar10", "");
  if (folder.empty()) return drawn_images(split.training, split.validation, data_seed, side);
  return read_cifar10(folder, split.training, split.validation, side);
}

training::Network make(at::TensorOptions options) { return network(image_classes, options); }

training::Job job_of(harness::Setup& setup, training::Split split, double scale) {
  const auto side = scale == 0 ? image_size : std::max<std::int64_t>(32, training::side_at(scale, 224, 1));
  const auto batch = scale == 0 ? 8 : 64;
  const auto key = fmt::format("resnet50/dataset/{}+{} of {}", split.training, split.validation, side);
  const auto data = setup.shared<training::Dataset>(key, [&] { return dataset(setup, split, side); });
  return {.name = "resnet50",
          .dataset = data,
          .make = make,
          .python = python(),
          .gain = 2,  // for ReLU
          .recipe = {.learning_rate = 1e-3, .weight_decay = 0.01},
          .batch_size = settings::count_option(setup.options, "batch-size", batch),
          .batch_norm = true,
          .scale = scale,
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

}  // namespace

training::Job job(harness::Setup& setup) {
  const auto scale = training::scale_for(setup, needed);
  return job_of(setup, scale == 0 ? few : on_device, scale);
}

training::Job job(harness::Setup& setup, training::Split split) { return job_of(setup, split, 0); }

}  // namespace workloads::resnet50
