#include "harness/libtorch/torch_graph.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/cuda/check.hpp"
#include "harness/libtorch/torch_runtime.hpp"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <stdexcept>

namespace {

using namespace harness;

constexpr Device cuda{Device::Kind::cuda, 0};
constexpr std::int64_t mib = std::int64_t{1} << 20;

at::Tensor on_device(std::int64_t bytes) {
  return at::empty({bytes}, at::TensorOptions().dtype(at::kByte).device(at::kCUDA));
}

double reserved() {
  return static_cast<double>(c10::cuda::CUDACachingAllocator::getDeviceStats(0).reserved_bytes[0].current);
}

/// A device, a stream that can be captured, and LibTorch set up on it.
struct Bench {
  Bench() {
    require_device();
    torch.stream_for(cuda);
    values = at::ones({4}, at::TensorOptions().device(at::kCUDA));
  }
  /// A capture that leaves nothing behind where it fails.
  bool replays() {
    values.fill_(1);
    const auto graph = captured([this] { values.add_(1); }, [] {});
    graph->replay();
    graph->replay();
    return values.sum().item<float>() == 12;
  }
  TorchRuntime torch{1};
  at::Tensor values;
};

TEST_CASE("a captured graph does its work at each replay", "[gpu][torch_graph]") {
  Bench bench;
  CHECK(bench.replays());
}

TEST_CASE("a capture that waits for the device throws that first, and the next one works",
          "[gpu][torch_graph]") {
  Bench bench;
  const auto wait = [&] {
    bench.values.add_(1);
    check(cudaStreamSynchronize(bench.torch.stream_for(cuda)->get()));
  };
  CHECK_THROWS_AS(captured(wait, [] {}), CudaError);
  CHECK(bench.replays());
}

TEST_CASE("an error of the work itself reaches the caller, and the next capture works",
          "[gpu][torch_graph]") {
  Bench bench;
  CHECK_THROWS_AS(captured([] { throw std::runtime_error("no"); }, [] {}), std::runtime_error);
  CHECK(bench.replays());
}

TEST_CASE("a failed capture gives its memory back", "[gpu][torch_graph]") {
  Bench bench;
  bench.torch.release_memory();
  const auto before = reserved();
  const auto allocate_and_wait = [&] {
    const auto block = on_device(64 * mib);
    check(cudaStreamSynchronize(bench.torch.stream_for(cuda)->get()));
  };
  CHECK_THROWS_AS(captured(allocate_and_wait, [] {}), CudaError);
  bench.torch.release_memory();
  CHECK(reserved() == before);
  CHECK(on_device(mib).numel() == mib);  // by the ordinary way again
}

TEST_CASE("after a failed capture the generator draws outside of a capture", "[gpu][torch_graph]") {
  Bench bench;
  const auto wait = [&] { check(cudaStreamSynchronize(bench.torch.stream_for(cuda)->get())); };
  CHECK_THROWS_AS(captured(wait, [] {}), CudaError);
  const auto generator = at::cuda::detail::getDefaultCUDAGenerator();
  auto* const impl = at::check_generator<at::CUDAGeneratorImpl>(generator);
  CHECK_NOTHROW(impl->philox_cuda_state(4));
}

TEST_CASE("what LibTorch only keeps for later makes no capture fail", "[gpu][torch_graph]") {
  Bench bench;
  bench.torch.release_memory();
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  const auto limit = reserved() + 96.0 * mib;
  c10::cuda::CUDACachingAllocator::setMemoryFraction(limit / static_cast<double>(total), 0);
  on_device(64 * mib);  // freed at once, and kept
  at::Tensor kept;
  CHECK_NOTHROW(captured([&] { kept = on_device(64 * mib).fill_(1); }, [] {}));
  c10::cuda::CUDACachingAllocator::setMemoryFraction(1, 0);
}

TEST_CASE("a capture leaves the cache where the device has room", "[gpu][torch_graph]") {
  Bench bench;
  bench.torch.release_memory();
  on_device(64 * mib);  // freed at once, and kept
  const auto before = reserved();
  const auto graph = captured([&] { bench.values.add_(1); }, [] {});
  CHECK(reserved() >= before);
}

TEST_CASE("graphs that share a pool share its memory", "[gpu][torch_graph]") {
  Bench bench;
  bench.torch.release_memory();
  const auto before = reserved();
  const auto pool = at::cuda::graph_pool_handle();
  const auto work = [] { on_device(64 * mib).fill_(1); };
  const auto first = captured(work, [] {}, pool);
  const auto of_one = reserved() - before;
  const auto second = captured(work, [] {}, pool);
  CHECK(of_one >= 64 * mib);
  CHECK(reserved() - before == of_one);
}

}  // namespace
