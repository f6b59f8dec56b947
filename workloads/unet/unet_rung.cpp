#include "workloads/unet/unet_rung.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/settings/train_settings.hpp"
#include "workloads/training/size.hpp"
#include "workloads/unet/unet_data.hpp"
#include "workloads/unet/unet_model.hpp"

#include <ATen/ATen.h>

namespace workloads::unet {
namespace {

constexpr training::Split few{.training = 64, .validation = 32};
constexpr std::uint64_t data_seed = 1;

/// Worked out: 20 bytes for each parameter, of four forms; and thrice what a backward pass finds, since
/// captured steps keep theirs.
constexpr training::Gigabytes needed{12, 5, 3.5};

training::Dataset dataset(const harness::Setup& setup, training::Split split, std::int64_t side) {
  const auto folder = setup.option("images", "");
  if (folder.empty()) return noisy_shapes(split.training, split.validation, data_seed, side);
  return noisy_images(folder, split.training, split.validation, data_seed, side);
}

training::Network make(at::TensorOptions options) { return network(options); }

training::Job job_of(harness::Setup& setup, training::Split split, double scale) {
  const auto side = scale == 0 ? image_size : training::side_at(scale, 256, 16);
  const auto batch = scale == 0 ? 4 : 8;
  const auto key = fmt::format("unet/dataset/{}+{} of {}", split.training, split.validation, side);
  const auto data = setup.shared<training::Dataset>(key, [&] { return dataset(setup, split, side); });
  return {.name = "unet",
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

training::Job job(harness::Setup& setup) { return job_of(setup, few, training::scale_for(setup, needed)); }

training::Job job(harness::Setup& setup, training::Split split) { return job_of(setup, split, 0); }

}  // namespace workloads::unet
