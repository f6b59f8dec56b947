#include "tests/workloads/stgym/step_traffic.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <catch2/catch_test_macros.hpp>

#include <memory>

namespace {

using namespace workloads::stgym;

/// How many of so many steps are captured: the optimizer is called there, and no longer when a graph is
/// replayed.
int captured(Trainer& trainer, int steps) {
  const auto traffic = tests::operator_traffic([&] {
    for (int i = 0; i < steps; ++i) trainer.step();
  });
  const auto found = traffic.find("aten::_fused_adam_");
  return found == traffic.end() ? 0 : found->second.calls;
}

std::int64_t bytes_in_use(at::Device device) {
  return c10::cuda::CUDACachingAllocator::getDeviceStats(device.index()).allocated_bytes[0].current;
}

/// 84 graphs in batches of 64: of 64 graphs and of fewer, so two buckets.
Trainer two_buckets(at::Device gpu) {
  const auto data = std::make_shared<const Dataset>(move_to(load_dataset({{"scale", "0.0005"}}, 7), gpu));
  auto switches = below(&Switches::fused_linear);
  switches.cuda_graph = true;
  return {{data, gpu, {.epochs = 1, .batch_size = 64}, 7}, switches};
}

TEST_CASE("gpu: after a rehearsal no step is captured", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  // The default stream cannot be captured.
  const c10::cuda::CUDAStreamGuard stream(c10::cuda::getStreamFromPool(false, gpu.index()));
  auto trainer = two_buckets(gpu);
  REQUIRE(trainer.batches_per_epoch() == 2);
  CHECK(captured(trainer, 1) == 1);
  trainer.restart();
  trainer.rehearse();
  CHECK(captured(trainer, 2) == 0);
}

TEST_CASE("gpu: a second bucket brings no second static batch", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  const c10::cuda::CUDAStreamGuard stream(c10::cuda::getStreamFromPool(false, gpu.index()));
  auto trainer = two_buckets(gpu);
  constexpr std::int64_t features = 4096 * 2000 * sizeof(float);  // of either bucket
  trainer.step();
  const auto one = bytes_in_use(gpu);
  REQUIRE(one > features);
  trainer.step();
  CHECK(bytes_in_use(gpu) < one + features / 2);
}

}  // namespace
