#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/stgym/train/torch_modes.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <torch/csrc/autograd/engine.h>

#include <memory>
#include <utility>

namespace {

using namespace workloads::stgym;
using torch::autograd::Engine;

/// A loss whose own value is finite, with a NaN in the gradient of its argument: 0 * (1 / 0).
std::pair<at::Tensor, at::Tensor> loss_with_nan_gradient() {
  const auto x = at::zeros({2}).set_requires_grad(true);
  return {x, (x.sqrt() * 0).sum()};
}

void step_naively(const at::Device& gpu) {
  const auto data = std::make_shared<const Dataset>(move_to(load_dataset({{"scale", "0.004"}}, 7), gpu));
  Trainer trainer({data, gpu, {}, 7}, Switches{});
  trainer.step();
  CHECK(trainer.losses().size() == 1);
}

/// A backward pass that has nothing to do with STGym.
void differentiate(const at::Device& gpu) {
  const auto x = at::ones({4}, gpu).set_requires_grad(true);
  (x * x).sum().backward();
  CHECK(x.grad().sum().item<float>() == 8);
}

TEST_CASE("naive's backward pass stops at a gradient that is NaN", "[stgym]") {
  const Modes modes({});
  const auto [x, loss] = loss_with_nan_gradient();
  REQUIRE(loss.item<float>() == 0);
  CHECK_THROWS_AS(backward(loss, {}), c10::Error);
}

TEST_CASE("without anomaly detection a backward pass goes on through a gradient that is NaN", "[stgym]") {
  const auto switches = with(&Switches::no_anomaly);
  const Modes modes(switches);
  const auto [x, loss] = loss_with_nan_gradient();
  backward(loss, switches);
  CHECK(x.grad().isnan().all().item<bool>());
}

TEST_CASE("a backward pass leaves anomaly detection off, whether it ends or throws", "[stgym]") {
  const auto [x, loss] = loss_with_nan_gradient();
  CHECK_THROWS_AS(backward(loss, {}), c10::Error);
  const auto [again, same] = loss_with_nan_gradient();
  same.backward();
  CHECK(again.grad().isnan().all().item<bool>());
}

TEST_CASE("every form uses LibTorch's own autograd engine, the only one that its device threads serve",
          "[stgym]") {
  for (const auto& switches : {Switches{}, all_kept()}) {
    const Modes modes(switches);
    CHECK(&Engine::get_default_engine() == &Engine::get_base_engine());
  }
}

// LibTorch starts an engine's device threads at a process's first backward pass on a device, so each order
// needs a process of its own, which ctest gives it.
TEST_CASE("gpu: another backward pass on the device runs after the naive form's, in one process",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  step_naively({at::kCUDA, 0});
  differentiate({at::kCUDA, 0});
}

TEST_CASE("gpu: the naive form runs after another backward pass on the device, in one process",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  differentiate({at::kCUDA, 0});
  step_naively({at::kCUDA, 0});
}

}  // namespace
