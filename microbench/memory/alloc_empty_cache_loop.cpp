// Do not empty the allocator's cache in every iteration.
//
// Question: emptyCache() in each iteration makes the number in nvidia-smi smaller. What does that number
// cost?
//
// LibTorch keeps the device memory that tensors give back, so that the next iteration gets its tensors
// without asking the driver. emptyCache() hands it all back. It must first wait for the device, each block
// it returns is a cudaFree, and the next iteration pays a cudaMalloc for every block that it needs again. The
// loop gains no memory: its tensors could use the cached blocks all along. The number that the call makes
// smaller is the one that nvidia-smi shows.
//
// When it is right: once, between two phases whose tensors have very different sizes, so that blocks of the
// wrong sizes go; or when another process needs the memory now. When it hardly shows: where an iteration's
// kernels take much longer than the driver's calls (`values`).
//
// The first side is the habit, the second side leaves the call out. An iteration makes eight tensors, each
// from the one before. The number of driver allocations stands beside the times.
//
// Answer: A wait for the device, a cudaFree for each cached block, and a cudaMalloc for each block that the
// next iteration needs again. The loop's own use of memory does not fall: nvidia-smi shows what the
// allocator keeps, not what tensors use.

#include "microbench/tip.hpp"

#include <c10/cuda/CUDACachingAllocator.h>

#include <utility>

namespace microbench::memory_alloc_empty_cache_loop {

namespace caching = c10::cuda::CUDACachingAllocator;

constexpr Axis axes[] = {{.name = "values",
                          .about = "FP32 numbers in each of the tensors",
                          .values = {1 << 10, 1 << 20, 32 << 20}}};
constexpr int tensors = 8;

struct State {
  at::Tensor x, out;
  /// The tensors in between are given back, the last one is kept.
  void iterate() {
    auto y = at::mul(x, 1.5);
    for (int i = 1; i < tensors; ++i) y = at::add(y, x);
    out = std::move(y);
  }
};

Trial prepare(Setup& setup, const Point& point) {
  const auto n = point["values"];
  require_device_memory(static_cast<std::size_t>(n) * sizeof(float) * 5);
  const auto s = std::make_shared<State>();
  const auto options = at::TensorOptions().device(torch_device(setup.device)).dtype(at::kFloat);
  s->x = at::arange(n, options).remainder_(1009);

  const auto naive = [s] {
    s->iterate();
    caching::emptyCache();
  };
  const auto optimized = [s] { s->iterate(); };
  const auto requests = [device = static_cast<c10::DeviceIndex>(setup.device.index)] {
    return static_cast<double>(caching::getDeviceStats(device).num_device_alloc);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s] { s->out = at::full_like(s->x, -1); },
      .answer = [s](Form) { return numbers_of(s->out); },
      .figures = [naive, optimized, requests]() -> std::vector<Figure> {
        naive();
        const auto start = requests();
        naive();
        const auto by_naive = requests() - start;
        optimized();
        const auto warm = requests();
        optimized();
        return {{"requests to the driver, per iteration", "", by_naive, requests() - warm}};
      },
  };
}

extern constexpr Step step = checked({
    .id = "memory/alloc_empty_cache_loop",
    .claim = "Leaving emptyCache() out of the loop saves the driver's calls in each iteration, and the waits "
             "for them.",
    .claim_ids = "alloc-empty-cache-loop",
    .sides = {"emptied", "kept"},
    .source = cuda_semantics("Memory management, on empty_cache() (its cost in a loop is inferred from it)"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "values:33554432"},
});

}  // namespace microbench::memory_alloc_empty_cache_loop
