// Steps whose result is memory: what they count is what their lessons promise.
#include "tests/gpu/require_device.hpp"
#include "tests/stand_in/rows/sizes.hpp"

#include "harness/libtorch/torch_runtime.hpp"

#include "microbench/microbench_steps.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string_view>

namespace {

using namespace harness;

/// The first figure of the step's first point, once both forms have run.
Figure counted(std::string_view id, const Device& device) {
  TorchRuntime torch(at::get_num_threads());
  Setup setup;
  setup.device = device;
  if (device.is_cuda()) setup.stream = torch.stream_for(device);
  const auto* const step = *std::ranges::find(microbench::steps(), id, &Step::id);
  const auto trial = step->prepare(setup, rows::capped(*step, points(*step, device).front()));
  trial.naive();
  trial.optimized();
  return trial.figures().front();
}

TEST_CASE("a worker that reads Python objects copies them, one that reads an array does not", "[dataload]") {
  try {
    const auto own = counted("dataload/python_objects", {});
    CHECK(own.naive > 10);
    CHECK(own.optimized < own.naive / 5);
  } catch (const Skip& why) {
    SKIP(why.what());
  }
}

TEST_CASE("huge pages are found far less often", "[transfer]") {
  try {
    const auto found = counted("transfer/huge_pages", {});
    CHECK(found.optimized < found.naive / 2);
  } catch (const Skip& why) {
    SKIP(why.what());
  }
}

TEST_CASE("three MiB of pinned memory are four from the allocator", "[transfer][gpu]") {
  require_device();
  const auto locked = counted("transfer/pinned_exact", {Device::Kind::cuda, 0});
  CHECK(locked.naive == 4);
  CHECK(locked.optimized == 3);
}

TEST_CASE("offloaded activations are few on the device at a time", "[memory][gpu]") {
  require_device();
  const auto peak = counted("memory/offload", {Device::Kind::cuda, 0});
  CHECK(peak.optimized < peak.naive / 2);
}

TEST_CASE("tensors kept until a wait need less memory than after recordStream", "[overlap][gpu]") {
  require_device();
  const auto reserved = counted("overlap/record_stream_memory", {Device::Kind::cuda, 0});
  CHECK(reserved.optimized < reserved.naive);
}

}  // namespace
