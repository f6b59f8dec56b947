// What the steps on allocators time: blocks of device memory are taken, used and given back.
#pragma once

#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include <limits>
#include <vector>

namespace microbench {

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
