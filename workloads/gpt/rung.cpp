#include "workloads/gpt/rung.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/gpt/data.hpp"
#include "workloads/gpt/model.hpp"
#include "workloads/settings/number_options.hpp"

#include <ATen/ATen.h>

namespace workloads::gpt {
namespace {

constexpr std::int64_t training_samples = 1024;
constexpr std::int64_t validation_samples = 128;
constexpr std::uint64_t data_seed = 1;

training::Dataset dataset(const harness::Setup& setup) {
  const auto file = setup.option("text", "");
  if (file.empty())
    return pieces(std::string(own_text()), "tuneproof's documentation", training_samples, validation_samples);
  return pieces(read_text(file), file, training_samples, validation_samples);
}

training::Network make(at::TensorOptions options) {
  return network(Shape{.vocabulary = vocabulary, .block = piece_length}, options);
}

}  // namespace

training::Job job(harness::Setup& setup) {
  const auto data = setup.shared<training::Dataset>("gpt/dataset", [&] { return dataset(setup); });
  return {.name = "gpt",
          .dataset = data,
          .make = make,
          .python = python(),
          .gain = 0.05,  // of 128 inputs: nanoGPT's spread of 0.02
          .recipe = {.learning_rate = 1e-3, .beta2 = 0.95, .weight_decay = 0.1, .decays_matrices_only = true},
          .clip = 1,
          .batch_size = settings::count_option(setup.options, "batch-size", 16),
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

}  // namespace workloads::gpt
