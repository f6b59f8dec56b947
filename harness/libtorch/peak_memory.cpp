#include "harness/libtorch/peak_memory.hpp"

#include "harness/libtorch/quiet.hpp"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace harness::inline libtorch {
namespace {

/// Hears of every block that LibTorch's allocators hand out and take back. Autograd runs a device's backward
/// pass on a thread of its own and takes its listener along, hence the lock.
class Watch final : public c10::MemoryReportingInfoBase {
 public:
  bool memoryProfilingEnabled() const override { return true; }

  void reportMemoryUsage(void* block, std::int64_t size, std::size_t total, std::size_t /*reserved*/,
                         c10::Device device) override {
    const std::scoped_lock lock(mutex_);
    if (device.is_cpu())
      on_host(block, size);
    else
      on_device(device.index(), size, static_cast<std::int64_t>(total));
    std::int64_t held = host_;
    for (const auto& [index, bytes] : devices_) held += bytes.now - bytes.start;
    peak_ = std::max(peak_, held);
  }

  double peak() const {
    const std::scoped_lock lock(mutex_);
    return static_cast<double>(peak_);
  }

 private:
  struct Held {
    std::int64_t start = 0;
    std::int64_t now = 0;
  };

  /// LibTorch's own total of the host counts from whenever something first listened: kept by block instead.
  void on_host(void* block, std::int64_t size) {
    if (const auto known = blocks_.find(block); known != blocks_.end()) {
      host_ -= known->second;  // given back now, or unheard of before
      blocks_.erase(known);
    }
    if (size <= 0) return;
    blocks_.emplace(block, size);
    host_ += size;
  }

  /// The device's allocator knows its total after this block, and so before the first.
  void on_device(int index, std::int64_t size, std::int64_t total) {
    devices_.try_emplace(index, Held{total - size, total}).first->second.now = total;
  }

  mutable std::mutex mutex_;
  std::unordered_map<void*, std::int64_t> blocks_;
  std::map<int, Held> devices_;
  std::int64_t host_ = 0;
  std::int64_t peak_ = 0;
};

}  // namespace

double peak_bytes(const std::function<void()>& run) {
  const auto watch = std::make_shared<Watch>();
  {
    const Quiet quiet;
    const c10::DebugInfoGuard listening(c10::DebugInfoKind::PROFILER_STATE, watch);
    run();
  }
  return watch->peak();
}

}  // namespace harness::inline libtorch
