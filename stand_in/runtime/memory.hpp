#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace stand_in {

enum class Kind { device, managed, pinned, registered };

/// Memory that the runtime knows: it was allocated or registered here.
struct Block {
  std::uintptr_t at = 0;
  std::size_t size = 0;
  Kind kind = Kind::device;
  unsigned flags = 0;
  int device = 0;  ///< whose memory it is; of host memory: which device was current
  bool from_pool = false;

  bool holds(std::uintptr_t address) const { return address >= at && address - at < size; }
  bool holds(const void* p, std::size_t bytes) const {
    const auto from = reinterpret_cast<std::uintptr_t>(p);
    return holds(from) && bytes <= size - (from - at);
  }
};

/// A device's addresses. The half that is handed out can be neither read nor written; the other half, a
/// constant distance away, is where the work of streams finds the bytes.
struct AddressRange {
  std::uintptr_t begin = 0;
  std::size_t size = 0;  // of one half

  bool holds(std::uintptr_t address) const { return address >= begin && address - begin < size; }
  bool works_at(std::uintptr_t address) const { return holds(address - size); }
};

/// What a pointer and the bytes behind it are.
enum class Place { device, host, managed, pageable, wrong };

/// All memory of all devices, and the host memory that devices reach.
class Memory {
 public:
  Memory(int devices, std::size_t bytes_each);

  /// New memory is filled with 0xff, which is NaN, except managed memory, which no device may ever see whole.
  cudaError_t take(void** out, std::size_t size, const Block& wanted);
  /// `kinds_on_host`: by cudaFreeHost rather than cudaFree.
  cudaError_t give_back(void* p, bool kinds_on_host);
  cudaError_t add_registered(const Block& block);
  cudaError_t remove_registered(void* p);

  std::optional<Block> find(const void* p) const;
  /// Whether a block that began there has been freed.
  bool was_freed(const void* p) const;
  /// `wrong`: part of the bytes are device memory that is not allocated, or the bytes leave their block.
  Place place_of(const void* p, std::size_t bytes) const;
  const AddressRange* range_of(const void* p) const;
  int device_of(const AddressRange& range) const { return static_cast<int>(&range - ranges_.data()); }
  std::size_t used(int device) const;
  std::size_t total() const { return bytes_each_; }
  /// "byte 24 of a block of 4096 bytes on device 0", for messages; waits for no lock.
  std::string describe(std::uintptr_t address) const;
  /// The same of an address on the work side; empty if it is none.
  std::string describe_work(std::uintptr_t address) const;
  /// The same of page-locked memory that was freed; empty if it is none.
  std::string describe_freed_host(std::uintptr_t address) const;

 private:
  cudaError_t take_device(Block& block);
  cudaError_t take_host(Block& block) const;
  std::uintptr_t find_gap(int device, std::size_t pages);
  void release(const Block& block);
  const Block* find_locked(std::uintptr_t address) const;
  const Block* find_freed(std::uintptr_t address) const;

  mutable std::shared_mutex mutex_;
  std::size_t bytes_each_;
  std::vector<AddressRange> ranges_;
  std::vector<std::uintptr_t> next_;  // of each device: where the search for a gap goes on
  std::vector<std::size_t> used_;
  std::map<std::uintptr_t, Block> blocks_;
  std::deque<Block> freed_;  // the latest ones, for messages; those of the host keep their addresses
};

/// A pool keeps nothing here: each block is new, so that the use of a freed one shows.
struct Pool {
  int device = 0;
  std::uint64_t threshold = 0;
};

class Pools {
 public:
  cudaMemPool_t add(int device) {
    auto pool = std::make_shared<Pool>(Pool{.device = device});
    const auto handle = reinterpret_cast<cudaMemPool_t>(pool.get());
    const std::lock_guard lock(mutex_);
    pools_[handle] = std::move(pool);
    return handle;
  }
  cudaMemPool_t of_device(int device) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = defaults_.find(device); found != defaults_.end()) return found->second;
    }
    const auto handle = add(device);
    const std::lock_guard lock(mutex_);
    return defaults_.emplace(device, handle).first->second;
  }
  std::shared_ptr<Pool> find(cudaMemPool_t handle) {
    const std::lock_guard lock(mutex_);
    const auto found = pools_.find(handle);
    return found == pools_.end() ? nullptr : found->second;
  }
  bool remove(cudaMemPool_t handle) {
    const std::lock_guard lock(mutex_);
    return pools_.erase(handle) == 1;
  }

 private:
  std::mutex mutex_;
  std::map<cudaMemPool_t, std::shared_ptr<Pool>> pools_;
  std::map<int, cudaMemPool_t> defaults_;
};

}  // namespace stand_in
