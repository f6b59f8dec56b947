// The two forms of stgym/prefetch differ in copies, and in no work of the host.
#include "harness/core/step.hpp"

#include "workloads/steps.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <functional>
#include <memory>

namespace {

using namespace harness;

/// Joins of tensors of the host by the thread that asks.
int& joins() {
  thread_local int count = 0;
  return count;
}

void count_joins(const at::RecordFunction& call, at::ObserverContext* /*context*/) {
  if (std::string_view(call.name()) != "aten::cat") return;
  for (const auto& output : call.outputs())
    if (output.isTensor() && output.toTensor().is_cpu() && output.toTensor().is_floating_point()) ++joins();
}

int joins_on_host(const std::function<void()>& work) {
  joins() = 0;
  const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(nullptr, count_joins)
                                                     .needsOutputs(true)
                                                     .scopes({at::RecordScope::FUNCTION}));
  work();
  at::removeCallback(handle);
  return joins();
}

Trial epochs_from_host(Setup& setup) {
  const auto* step = *std::ranges::find(workloads::steps(), "stgym/prefetch", &Step::id);
  for (const auto& point : points(step->axes))
    if (row_name(*step, point, setup.device).find("against:host/unit:epoch") != std::string::npos)
      return step->prepare(setup, point);
  FAIL("there is no such row");
  return {};
}

TEST_CASE("gpu: no form of prefetch joins features on the host, in training or in validation",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  CHECK(joins_on_host([] { at::cat({at::ones({2}), at::ones({3})}); }) == 1);
  Setup setup;
  setup.seed = 7;
  setup.device = {Device::Kind::cuda, 0};
  setup.options = {{"scale", "0.001"}, {"epochs", "1"}};
  const auto trial = epochs_from_host(setup);
  CHECK(joins_on_host(trial.naive) == 0);
  CHECK(joins_on_host(trial.optimized) == 0);
}

}  // namespace
