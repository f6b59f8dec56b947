// The two forms of stgym/prefetch differ in copies, and in no work of the host.
#include "harness/core/step.hpp"

#include "workloads/steps.hpp"
#include "workloads/stgym/train/batch.hpp"
#include "workloads/stgym/train/prefetch_feed.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
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

/// The graphs as a batch, out of pinned memory on the device, with edges that were queued just before.
Batch fed(const Dataset& data, const std::vector<std::int64_t>& graphs, at::Device gpu) {
  const auto built = std::make_shared<const Neighbourhoods>(all_neighbourhoods(data, gpu));
  PrefetchFeed feed(std::make_shared<const Dataset>(data), built, gpu);
  return feed.take(graphs);
}

TEST_CASE("gpu: a feed reads edges that another stream builds only once they are there", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  const auto data = pinned(load_dataset({{"scale", "0.001"}}, 7));
  const auto expected = fetch_batch(data, {0, 3, 5});
  for (int stream = 0; stream < 4; ++stream) {  // on the stand-in a seed decides which of them is late
    const c10::cuda::CUDAStreamGuard guard(c10::cuda::getStreamFromPool(false, gpu.index()));
    const auto batch = fed(data, {0, 3, 5}, gpu);
    CHECK(batch.x.cpu().equal(expected.x));
    CHECK(batch.edges.cpu().equal(expected.edges));
  }
}

}  // namespace
