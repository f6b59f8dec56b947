// LibTorch's allocator of device memory under other settings, what it has asked of the driver, and what the
// steps on allocators time: blocks of device memory are taken, used and given back.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/libtorch/answer.hpp"

#include "microbench/memory/varying_lengths.hpp"

#include <ATen/ATen.h>
#include <c10/core/AllocatorConfig.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <limits>

namespace microbench {

/// The allocator under `settings` (as in PYTORCH_CUDA_ALLOC_CONF) while it lives. Settings are the process's,
/// and text that does not name one leaves it as it is: `defaults` names each again.
class AllocatorSettings {
 public:
  AllocatorSettings(const std::string& settings, std::string defaults)
      : before_(c10::CachingAllocator::getAllocatorSettings()), defaults_(std::move(defaults)) {
    c10::CachingAllocator::setAllocatorSettings(settings);
  }
  AllocatorSettings(const AllocatorSettings&) = delete;
  AllocatorSettings& operator=(const AllocatorSettings&) = delete;
  ~AllocatorSettings() {
    c10::CachingAllocator::setAllocatorSettings(defaults_);
    if (!before_.empty()) c10::CachingAllocator::setAllocatorSettings(before_);
  }

 private:
  std::string before_;
  std::string defaults_;
};

/// How many segments LibTorch's allocator asks of the driver (cudaMalloc) during `run`.
inline double segments_asked_for(const harness::Device& device, const std::function<void()>& run) {
  const auto asked = [index = static_cast<c10::DeviceIndex>(device.index)] {
    return static_cast<double>(c10::cuda::CUDACachingAllocator::getDeviceStats(index).num_device_alloc);
  };
  const auto before = asked();
  run();
  return asked() - before;
}

/// A block of so many bytes, of which only the first is written: steps measure how the allocator gets the
/// block.
inline at::Tensor marked_block(std::int64_t bytes, const at::TensorOptions& options) {
  auto block = at::empty({bytes}, options);
  block.narrow(0, 0, 1).fill_(1);
  return block;
}

/// Of both forms, as a figure beside the times.
inline harness::Figure segments_figure(const harness::Device& device, const std::function<void()>& naive,
                                       const std::function<void()>& optimized) {
  return {"segments of the driver's", "calls", segments_asked_for(device, naive),
          segments_asked_for(device, optimized)};
}

/// The same work under two settings, judged by the first figure. Both forms add what they saw to `total`.
inline harness::Trial allocator_trial(const at::Tensor& total, const std::function<void()>& naive,
                                      const std::function<void()>& optimized,
                                      const std::function<std::vector<harness::Figure>()>& figures) {
  return {.naive = naive,
          .optimized = optimized,
          .clear = [total] { total.fill_(0); },
          .answer = [total](harness::Form) { return harness::numbers_of(total); },
          .figures = figures,
          .statistic = harness::Statistic::figure};
}

/// Judged by how often a run asks the driver for a segment.
inline harness::Trial driver_calls_trial(const harness::Device& device, const at::Tensor& total,
                                         const std::function<void()>& naive,
                                         const std::function<void()>& optimized) {
  return allocator_trial(total, naive, optimized, [=]() -> std::vector<harness::Figure> {
    return {segments_figure(device, naive, optimized), reserved_figure(device, naive, optimized)};
  });
}

/// So many blocks of so many bytes are held at once. What each of them held goes to `seen`, as the answer.
struct Blocks {
  static constexpr std::size_t mark = 64;

  Blocks(std::size_t blocks, std::size_t bytes) : count(blocks), size(bytes), seen(blocks * mark) {}

  /// take() gives the address of a block, give(address) returns it; the work in between is queued.
  template <class Take, class Give>
  void use(const harness::Stream& stream, const Take& take, const Give& give) const {
    std::vector<void*> held;
    held.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      held.push_back(take(size));
      harness::check(cudaMemsetAsync(held[i], static_cast<int>(i + 1), size, stream.get()));
      harness::check(
          cudaMemcpyAsync(seen.data() + i * mark, held[i], mark, cudaMemcpyDeviceToDevice, stream.get()));
    }
    for (void* block : held) give(block);
  }

  void clear(const harness::Stream& stream) const {
    harness::check(cudaMemsetAsync(seen.data(), 0xA5, seen.size(), stream.get()));
    stream.synchronize();
  }

  std::size_t count;
  std::size_t size;  // of a block, at least `mark`
  harness::DeviceBuffer seen;
};

/// cudaMalloc and cudaFree, as Blocks::use wants them.
inline void* take_from_driver(std::size_t size) {
  void* block = nullptr;
  harness::check(cudaMalloc(&block, size));
  return block;
}
inline void give_to_driver(void* block) { harness::check(cudaFree(block)); }

/// A pool of the driver that keeps what is given back to it.
class StreamPool {
 public:
  explicit StreamPool(int device) {
    cudaMemPoolProps wanted{};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.handleTypes = cudaMemHandleTypeNone;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.location.id = device;
    harness::check(cudaMemPoolCreate(&pool_, &wanted));
    auto all = std::numeric_limits<std::uint64_t>::max();
    harness::check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all));
  }
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;
  ~StreamPool() { harness::report(cudaMemPoolDestroy(pool_)); }

  void* take(std::size_t size, const harness::Stream& stream) const {
    void* block = nullptr;
    harness::check(cudaMallocFromPoolAsync(&block, size, pool_, stream.get()));
    return block;
  }

 private:
  cudaMemPool_t pool_ = nullptr;
};

}  // namespace microbench
