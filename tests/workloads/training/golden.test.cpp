// The published models against their projects' own numbers: tests/golden/models.json, or any file of its
// form.
#include "tests/workloads/golden_json.hpp"

#include "workloads/gpt/gpt_model.hpp"
#include "workloads/resnet50/resnet50_model.hpp"
#include "workloads/training/optimizer.hpp"
#include "workloads/unet/unet_model.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include "formula.hpp"
#include <cmath>
#include <functional>

namespace {

using namespace workloads::training;
using Json = nlohmann::ordered_json;

Json models() { return golden::load("models.json"); }

/// One model of the file: what it is given, and how it is trained.
struct Case {
  Json reference;
  Network network;
  at::Tensor input, target;
  Recipe recipe;
};

/// True if both agree to `most`, relative to the reference.
bool close(double value, double reference, double most) {
  return std::abs(value - reference) <= most * std::abs(reference);
}

void check_names(const Case& c) {
  const auto& expected = c.reference.at("parameters");
  REQUIRE(c.network.parameters.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(c.network.parameters[i].first == expected[i][0].get<std::string>());
    CHECK(c.network.parameters[i].second.sizes().vec() == expected[i][1].get<std::vector<std::int64_t>>());
  }
}

void check_output(const at::Tensor& output, const Json& numbers, double most) {
  const auto first = numbers.at("output_first").get<std::vector<double>>();
  const auto reference = at::tensor(first, at::kDouble);
  const auto own = output.detach().flatten().slice(0, 0, reference.numel()).to(at::kDouble);
  CHECK((own - reference).abs().max().item<double>() <= most * reference.abs().max().item<double>());
  CHECK(close(output.norm().item<double>(), numbers.at("output_norm"), most));
}

void check_norms(const NamedTensors& own, const Json& reference,
                 const std::function<at::Tensor(const at::Tensor&)>& part) {
  REQUIRE(own.size() == reference.size());
  double largest = 0;
  for (const auto& entry : reference) largest = std::max(largest, entry[1].get<double>());
  for (std::size_t i = 0; i < own.size(); ++i) {
    INFO(own[i].first);
    CHECK(own[i].first == reference[i][0].get<std::string>());
    const auto norm = part(own[i].second).norm().item<double>();
    const auto expected = reference[i][1].get<double>();
    INFO(norm << " for " << expected);
    // A gradient that is 0 but for rounding (of a bias that the next norm takes away) has no digits.
    CHECK(std::abs(norm - expected) <= 1e-8 * std::max(expected, 1e-6 * largest));
  }
}

double norm_of(const NamedTensors& tensors) {
  double sum = 0;
  for (const auto& [name, tensor] : tensors) sum += tensor.detach().square().sum().item<double>();
  return std::sqrt(sum);
}

/// Losses, output, gradients, following steps and what is left of them.
void check_training(Case& c, const Switches& switches, bool fused) {
  const auto& numbers = c.reference.at("fp64");
  Optimizer optimizer(c.network.parameters, c.recipe, fused);
  bool is_first = true;
  for (const double expected : numbers.at("losses")) {
    optimizer.zero_grad(/*to_none=*/true);
    const auto output = c.network.predict(c.input, switches, Mode::training);
    const auto loss = c.network.loss(output, c.target);
    INFO(loss.item<double>() << " for " << expected);
    CHECK(close(loss.item<double>(), expected, 1e-8));
    loss.backward();
    if (is_first) {
      check_output(output, numbers, 1e-8);
      check_norms(c.network.parameters, numbers.at("gradient_norms"),
                  [](const at::Tensor& parameter) { return parameter.grad(); });
    }
    is_first = false;
    optimizer.step();
  }
  CHECK(close(norm_of(c.network.parameters), numbers.at("parameters_norm"), 1e-8));
  check_norms(c.network.buffers, numbers.at("buffers_norms"),
              [](const at::Tensor& buffer) { return buffer; });
}

void check_single_precision(const Case& c, const Switches& switches) {
  const auto& numbers = c.reference.at("fp32");
  const auto output = c.network.predict(c.input, switches, Mode::training);
  check_output(output, numbers, 1e-4);
  CHECK(close(c.network.loss(output, c.target).item<double>(), numbers.at("losses")[0], 1e-4));
}

std::vector<std::int64_t> sizes(const Json& input, const char* name) {
  return input.at(name).get<std::vector<std::int64_t>>();
}

Case resnet50(at::ScalarType type) {
  const auto file = models();
  const auto& reference = file.at("resnet50");
  const auto& input = reference.at("input");
  const golden::Formula formula(file.at("seed"));
  const auto images = sizes(input, "images");
  const std::int64_t classes = input.at("classes");
  Case c{
      .reference = reference,
      .network = workloads::resnet50::network(classes, type),
      .input = formula.numbers(input.at("images_stream"), images).to(type),
      .target = formula.integers(input.at("labels_stream"), {images[0]}, classes),
      .recipe = {.algorithm = Algorithm::sgd, .learning_rate = 1e-4, .momentum = 0.9, .weight_decay = 1e-4}};
  formula.fill(c.network.parameters);
  return c;
}

Case gpt(at::ScalarType type) {
  const auto file = models();
  const auto& reference = file.at("gpt");
  const auto& input = reference.at("input");
  const golden::Formula formula(file.at("seed"));
  const auto tokens = sizes(input, "tokens");
  const workloads::gpt::Shape shape{.vocabulary = input.at("vocabulary"),
                                    .block = reference.at("parameters")[1][1][0],
                                    .layers = input.at("layers"),
                                    .heads = input.at("heads"),
                                    .width = input.at("width")};
  Case c{.reference = reference,
         .network = workloads::gpt::network(shape, type),
         .input = formula.integers(input.at("tokens_stream"), tokens, shape.vocabulary),
         .target = formula.integers(input.at("targets_stream"), tokens, shape.vocabulary),
         .recipe = {.learning_rate = 1e-3, .beta2 = 0.95, .weight_decay = 0.1, .decays_matrices_only = true}};
  formula.fill(c.network.parameters);
  return c;
}

Case unet(at::ScalarType type) {
  const auto file = models();
  const auto& reference = file.at("unet");
  const auto& input = reference.at("input");
  const golden::Formula formula(file.at("seed"));
  const auto images = sizes(input, "images");
  Case c{.reference = reference,
         .network = workloads::unet::network(type),
         .input = formula.numbers(input.at("images_stream"), images).to(type),
         .target = formula.numbers(input.at("noise_stream"), images).to(type),
         .recipe = {.algorithm = Algorithm::adam, .learning_rate = 1e-3}};
  formula.fill(c.network.parameters);
  return c;
}

constexpr Switches fused_attention{.fused_attention = true};

TEST_CASE("golden: resnet50 trains as torchvision's, in FP64", "[golden]") {
  auto c = resnet50(at::kDouble);
  check_names(c);
  check_training(c, {}, false);
}

TEST_CASE("golden: resnet50 begins as torchvision's, in FP32", "[golden]") {
  check_single_precision(resnet50(at::kFloat), {});
}

TEST_CASE("golden: gpt trains as nanoGPT's, in FP64", "[golden]") {
  auto c = gpt(at::kDouble);
  check_names(c);
  check_training(c, {}, false);
}

TEST_CASE("golden: gpt with fused attention and a fused optimizer trains as nanoGPT's, in FP64", "[golden]") {
  auto c = gpt(at::kDouble);
  check_training(c, fused_attention, true);
}

TEST_CASE("golden: gpt begins as nanoGPT's, in FP32", "[golden]") {
  check_single_precision(gpt(at::kFloat), {});
  check_single_precision(gpt(at::kFloat), fused_attention);
}

TEST_CASE("golden: unet trains as the published one, in FP64", "[golden]") {
  auto c = unet(at::kDouble);
  check_names(c);
  check_training(c, {}, false);
}

TEST_CASE("golden: unet with a fused optimizer trains as the published one, in FP64", "[golden]") {
  auto c = unet(at::kDouble);
  check_training(c, {}, true);
}

TEST_CASE("golden: unet begins as the published one, in FP32", "[golden]") {
  check_single_precision(unet(at::kFloat), {});
}

}  // namespace
