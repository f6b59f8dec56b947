#include "microbench/autograd/autograd_layers.hpp"

#include "harness/libtorch/work_counts.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <utility>

namespace {

using microbench::Layers;

Layers some_layers(std::int64_t count, std::int64_t batch = 32) {
  harness::Setup setup;
  setup.seed = 3;
  return {setup, count, /*width=*/16, batch};
}

/// The gradients of weights and input, checkpointed or not.
std::pair<at::Tensor, at::Tensor> gradients(bool checkpointed) {
  const auto layers = some_layers(4);
  auto x = layers.input.detach().requires_grad_();
  const auto first = x;
  for (const auto& stacked : layers.weights.chunk(2))
    x = checkpointed ? microbench::apply_layers_checkpointed(x, stacked)
                     : microbench::apply_layers(x, stacked);
  Layers::backward(x);
  return {layers.weights.grad(), first.grad()};
}

TEST_CASE("checkpointed layers have the gradients of plain ones", "[autograd]") {
  const auto [weights, input] = gradients(false);
  const auto [weights_again, input_again] = gradients(true);
  CHECK(weights.abs().max().item<float>() > 0);
  CHECK(at::allclose(weights_again, weights, 1e-5, 1e-7));
  CHECK(at::allclose(input_again, input, 1e-5, 1e-7));
}

TEST_CASE("an input that asks for no gradient gets none", "[autograd]") {
  const auto layers = some_layers(2);
  Layers::backward(microbench::apply_layers_checkpointed(layers.input, layers.weights));
  CHECK(layers.weights.grad().defined());
  CHECK_FALSE(layers.input.grad().defined());
}

TEST_CASE("checkpoints lower the peak", "[autograd]") {
  auto layers = some_layers(16, 512);
  const auto train = [&](bool checkpointed) {
    auto x = layers.input;
    for (const auto& stacked : layers.weights.chunk(4))
      x = checkpointed ? microbench::apply_layers_checkpointed(x, stacked)
                       : microbench::apply_layers(x, stacked);
    Layers::backward(x);
    layers.take_gradient();
  };
  layers.gradient.reset();
  const auto plain = harness::peak_bytes([&] { train(false); });
  layers.gradient.reset();
  CHECK(harness::peak_bytes([&] { train(true); }) < plain);
}

TEST_CASE("pieces of a batch add up to the gradient of the batch", "[autograd]") {
  auto layers = some_layers(3);
  layers.train();
  const auto whole = layers.gradient;
  for (const auto& piece : layers.input.chunk(4))
    Layers::backward(microbench::apply_layers(piece, layers.weights), 0.25);
  layers.take_gradient();
  CHECK(at::allclose(layers.gradient, whole, 1e-4, 1e-6));
}

}  // namespace
