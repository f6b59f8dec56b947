#include "workloads/gpt/gpt_rung.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/gpt/gpt_data.hpp"
#include "workloads/gpt/gpt_model.hpp"
#include "workloads/settings/train_settings.hpp"
#include "workloads/training/size.hpp"

#include <ATen/ATen.h>

namespace workloads::gpt {
namespace {

/// A step's model and batch, and the samples of an epoch.
struct Size {
  double scale = 0;
  Shape shape = {.vocabulary = vocabulary, .block = piece_length};
  std::int64_t batch = 16, training = 1024, validation = 128;
};

/// GPT-2 small with nanoGPT's padded vocabulary at scale 1. The scale is of layers times tokens, each by its
/// root.
Size size_at(double scale) {
  if (scale == 0) return {};
  return {.scale = scale,
          .shape = {.vocabulary = 50304,
                    .block = training::side_at(scale, 1024, 8),
                    .layers = training::side_at(scale, 12, 1),
                    .heads = 12,
                    .width = 768},
          .batch = 8,
          .training = 64,
          .validation = 16};
}

/// Worked out: 20 bytes for each parameter, of four forms; and thrice what a backward pass finds, since
/// captured steps keep theirs.
constexpr training::Gigabytes needed{55, 20, 10};

training::Dataset dataset(const harness::Setup& setup, const Size& size) {
  const auto file = setup.option("text", "");
  auto text = file.empty() ? std::string(own_text()) : read_text(file);
  return pieces(std::move(text), file.empty() ? "tuneproof's documentation" : file, size.training,
                size.validation, size.shape.block);
}

training::Job job_of(harness::Setup& setup, const Size& size) {
  const auto data = setup.shared<training::Dataset>(fmt::format("gpt/dataset/{}", size.shape.block),
                                                    [&] { return dataset(setup, size); });
  return {.name = "gpt",
          .dataset = data,
          .make = [shape = size.shape](at::TensorOptions options) { return network(shape, options); },
          .python = python(),
          .gain = 0.05 * static_cast<double>(size.shape.width) / 128,  // nanoGPT's spread of 0.02
          .recipe = {.learning_rate = 1e-3, .beta2 = 0.95, .weight_decay = 0.1, .decays_matrices_only = true},
          .clip = 1,
          .batch_size = settings::count_option(setup.options, "batch-size", size.batch),
          .scale = size.scale,
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

}  // namespace

training::Job job(harness::Setup& setup) {
  return job_of(setup, size_at(training::scale_for(setup, needed)));
}

training::Job small_job(harness::Setup& setup) { return job_of(setup, {}); }

}  // namespace workloads::gpt
