#include "workloads/unet/rung.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/settings/number_options.hpp"
#include "workloads/unet/data.hpp"
#include "workloads/unet/model.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace workloads::unet {
namespace {

constexpr training::Split few{.training = 64, .validation = 32};
constexpr std::uint64_t data_seed = 1;

training::Dataset dataset(const harness::Setup& setup, training::Split split) {
  const auto folder = setup.option("images", "");
  if (folder.empty()) return noisy_shapes(split.training, split.validation, data_seed);
  return noisy_images(folder, split.training, split.validation, data_seed);
}

training::Network make(at::TensorOptions options) { return network(options); }

}  // namespace

training::Job job(harness::Setup& setup) { return job(setup, few); }

training::Job job(harness::Setup& setup, training::Split split) {
  const auto key = fmt::format("unet/dataset/{}+{}", split.training, split.validation);
  const auto data = setup.shared<training::Dataset>(key, [&] { return dataset(setup, split); });
  return {.name = "unet",
          .dataset = data,
          .make = make,
          .python = python(),
          .gain = 2,  // for ReLU
          .recipe = {.learning_rate = 1e-3, .weight_decay = 0.01},
          .batch_size = settings::count_option(setup.options, "batch-size", 4),
          .batch_norm = true,
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

}  // namespace workloads::unet
