#include "tests/workloads/stgym/space/golden_space.hpp"

#include "workloads/stgym/space_model/space_model.hpp"
#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;
using nlohmann::ordered_json;

/// The naive form, every kept rung upon those below it: the last is the top of the ladder.
std::vector<Switches> forms() {
  std::vector<Switches> all = {{}};
  for (const auto& rung : ladder)
    if (rung.kept) all.push_back(with(rung.change));
  return all;
}

/// Runs a check for every configuration of the file in every form.
template <class Check>
void for_each_case(const Check& check) {
  const auto file = golden::load("stgym_space.json");
  REQUIRE_FALSE(file.empty());
  for (const auto& [name, c] : file.items()) {
    int rung = 0;
    for (const auto& switches : forms()) {
      INFO(name << ", rung " << rung++ << " of the ladder");
      const Modes modes(switches);
      check(c, switches);
    }
  }
}

/// 1e-4 of the reference's largest entry, and what single precision leaves of sums as large as the largest
/// gradient of all: a bias ahead of a batch norm has no effect, and its gradient in the file is all rounding.
bool is_near(const at::Tensor& value, const at::Tensor& reference, double largest) {
  const auto scale = reference.abs().max().item<double>();
  return (value - reference).abs().max().item<double>() <= 1e-4 * scale + 1e-6 * largest;
}

/// Such a gradient, by which Adam walks at full speed in a direction that rounding chose. The parameter has
/// no effect on any loss.
bool is_rounding(const at::Tensor& gradient, double largest) {
  const auto scale = gradient.abs().max().item<double>();
  return scale > 0 && scale < 1e-6 * largest;
}

double largest(const NamedTensors& all) {
  double most = 0;
  for (const auto& [name, tensor] : all) most = std::max(most, tensor.abs().max().item<double>());
  return most;
}

/// The loss and its parts by the file's names. DMoN's spectral loss is a difference of numbers below 1, of
/// which single precision leaves the sixth decimal place.
void check_losses(const space::Losses& losses, const ordered_json& step) {
  auto all = losses.pooling;
  all.emplace_back("loss", losses.total);
  CHECK(all.size() == step.size());
  for (const auto& [name, value] : all) {
    INFO(name);
    const auto expected = step.at(name).get<double>();
    CHECK(std::abs(value.item<double>() - expected) <= 1e-4 * std::abs(expected) + 1e-6);
  }
}

TEST_CASE("golden: a configuration's parameters have the names, order and shapes of STGym's",
          "[space][golden]") {
  const auto file = golden::load("stgym_space.json");
  for (const auto& [name, c] : file.items()) {
    INFO(name);
    std::vector<std::string> expected, found;
    for (const auto& [parameter, value] : c.at("parameters").items()) expected.push_back(parameter);
    for (const auto& [parameter, value] : golden::model(c).parameters()) found.push_back(parameter);
    CHECK(found == expected);
  }
}

TEST_CASE("golden: a configuration's first prediction and gradients are those of STGym's classes",
          "[space][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto batch = golden::batch(c);
    auto model = golden::model(c);
    const auto prediction = model.forward(batch, switches);
    CHECK(golden::distance(prediction.scores, golden::tensor(c.at("first_prediction"), at::kFloat)) <= 1e-4);
    backward(model.losses(prediction, batch).total, switches);
    const auto most = largest(golden::named(c.at("first_gradients")));
    for (const auto& [name, parameter] : model.parameters()) {
      INFO(name);
      const auto expected = golden::tensor(c.at("first_gradients").at(name), at::kFloat);
      CHECK(is_near(parameter.grad(), expected, most));
    }
  });
}

TEST_CASE("golden: training a configuration gives the losses and final parameters of STGym's classes",
          "[space][golden]") {
  for_each_case([](const ordered_json& c, const Switches& switches) {
    const auto batch = golden::batch(c);
    auto model = golden::model(c);
    workloads::training::Optimizer optimizer(
        model.parameters(), recipe_of(golden::configuration(c).train.optim), switches.fused_optimizer);
    for (const auto& step : c.at("steps")) {
      optimizer.zero_grad();
      const auto losses = model.losses(model.forward(batch, switches), batch);
      check_losses(losses, step);
      backward(losses.total, switches);
      optimizer.step();
    }
    const auto most = largest(golden::named(c.at("first_gradients")));
    for (const auto& [name, parameter] : model.parameters()) {
      INFO(name);
      const auto gradient = golden::tensor(c.at("first_gradients").at(name), at::kFloat);
      const auto expected = golden::tensor(c.at("final_parameters").at(name), at::kFloat);
      if (is_rounding(gradient, most)) continue;
      CHECK(golden::distance(parameter, expected) <= 1e-4);
    }
  });
}

}  // namespace
