// What it costs to get memory that the device can use, and to give it back: from CUDA, and from LibTorch's
// two caches, with what is wanted in them ("warm") or emptied beforehand ("cold").
#include "harness/core/slot.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/libtorch/answer.hpp"

#include "prices/price_list.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"

#include <ATen/ATen.h>
#include <ATen/core/CachingHostAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <fmt/format.h>

#include <limits>

namespace prices {
namespace {

using namespace harness;

constexpr std::size_t sizes[] = {64 * kib, mib, 16 * mib, 256 * mib};

/// Take it, give it back.
template <class Place>
void buffer_row(benchmark::State& state, const Machine&, std::size_t size) {
  for (auto _ : state) {
    const Buffer<Place> buffer(size);
    auto* data = buffer.data();
    benchmark::DoNotOptimize(data);
  }
}

/// Page-lock memory that is there already, and unlock it.
void registered_row(benchmark::State& state, const Machine&, std::size_t size) {
  const PageableBuffer buffer(size);
  for (auto _ : state) const PageLock locked(buffer.bytes());
}

/// In the stream's order, out of a pool that keeps what it has.
void stream_ordered_row(benchmark::State& state, const Machine& machine, std::size_t size) {
  cudaMemPool_t pool{};
  check(cudaDeviceGetDefaultMemPool(&pool, machine.device.index));
  auto keep = std::numeric_limits<std::uint64_t>::max();
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  const auto stream = machine.stream->get();
  const auto once = [&] {
    void* data = nullptr;
    check(cudaMallocAsync(&data, size, stream));
    check(cudaFreeAsync(data, stream));
  };
  once();
  machine.stream->synchronize();
  for (auto _ : state) once();
  machine.stream->synchronize();
  keep = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  check(cudaMemPoolTrimTo(pool, 0));
}

/// A tensor's memory; `forget` empties the cache that it comes from.
template <class Forget>
void tensor_row(benchmark::State& state, const at::TensorOptions& options, std::size_t size, bool warm,
                const Forget& forget) {
  const auto once = [&] {
    auto tensor = at::empty({static_cast<std::int64_t>(size)}, options);
    benchmark::DoNotOptimize(tensor);
  };
  forget();
  if (warm) {
    once();
    for (auto _ : state) once();
  } else {
    sample_calls(state, 1, [&] {
      forget();
      return host_seconds(once);
    });
  }
  forget();
}

void add_tensors(const Machine& machine, std::size_t size) {
  const auto device = at::TensorOptions().dtype(at::kByte).device(torch_device(machine.device));
  const auto host = at::TensorOptions().dtype(at::kByte).pinned_memory(true);
  for (const bool warm : {false, true}) {
    const auto rest = fmt::format("{}/bytes:{}", warm ? "warm" : "cold", bytes_text(size));
    const auto clock = warm ? Clock::host : Clock::own;
    add("prices/allocate/torch_device/" + rest, clock, [=](benchmark::State& state) {
      tensor_row(state, device, size, warm, [] { c10::cuda::CUDACachingAllocator::emptyCache(); });
    });
    add("prices/allocate/torch_host/" + rest, clock, [=](benchmark::State& state) {
      PinnedBuffer{size};  // LibTorch's words for a system that gives no more are other ones
      tensor_row(state, host, size, warm, [] { at::getHostAllocator(at::kCUDA)->empty_cache(); });
    });
  }
}

}  // namespace

void add_allocators(const Machine& machine) {
  if (!machine.has_cuda()) return;
  const auto row = [&](const char* name, std::size_t size, auto body) {
    add(fmt::format("prices/allocate/{}/bytes:{}", name, bytes_text(size)), Clock::host,
        [=, m = machine](benchmark::State& state) { body(state, m, size); });
  };
  const bool registers = machine.has(cudaDevAttrHostRegisterSupported);
  const bool pools = machine.has(cudaDevAttrMemoryPoolsSupported);  // some virtual devices have none
  for (const auto size : fitting(sizes, 1, std::min(machine.host_bytes, machine.device_bytes))) {
    row("pinned", size, buffer_row<Pinned>);
    if (registers) row("registered", size, registered_row);
    row("cuda_malloc", size, buffer_row<OnDevice>);
    if (pools) row("stream_ordered", size, stream_ordered_row);
    add_tensors(machine, size);
  }
}

}  // namespace prices
