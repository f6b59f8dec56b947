#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace stand_in {

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
