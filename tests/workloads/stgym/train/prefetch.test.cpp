// The two forms of stgym/prefetch differ in copies, and in no work of the host.
#include "harness/core/step.hpp"
#include "harness/cuda/check.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/train/feeds.hpp"
#include "workloads/workloads_steps.hpp"

#include <cuda_runtime_api.h>

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

namespace {

using namespace harness;
using namespace workloads::stgym;

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

void say_so(void* ran) { static_cast<std::atomic<bool>*>(ran)->store(true); }

TEST_CASE("gpu: a feed is there once the edges are that another stream was to build", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  const auto data = std::make_shared<const Dataset>(pinned(load_dataset({{"scale", "0.001"}}, 7)));
  const auto built = std::make_shared<const Neighbourhoods>(all_neighbourhoods(*data, gpu));
  for (int i = 0; i < 4; ++i) {  // on the stand-in a seed decides which streams run nothing unasked
    const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool(false, gpu.index()));
    std::atomic<bool> ran = false;
    check(cudaLaunchHostFunc(c10::cuda::getCurrentCUDAStream(gpu.index()), say_so, &ran));
    const PrefetchFeed feed(data, built, gpu);
    CHECK(ran);
    c10::cuda::device_synchronize();  // the flag goes away
  }
}

}  // namespace
