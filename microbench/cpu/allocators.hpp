// Where LibTorch's tensors on the CPU come from: glibc as it is by itself, glibc told to keep what was freed,
// or another allocator's library. A setting of the whole process: changed for a slot, put back by its owner.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/machine/heap.hpp"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include <dlfcn.h>
#include <malloc.h>
#include <new>
#include <vector>

namespace microbench {

/// LibTorch's view of an allocator whose library was loaded beside glibc's. Never unloaded: blocks outlive
/// their owners' scope, and these libraries do not support it.
class LibraryAllocator final : public c10::Allocator {
 public:
  /// The first of the names that can be loaded. Throws Skip where there is none.
  explicit LibraryAllocator(const std::vector<std::string>& names) {
    void* library = nullptr;
    for (const auto& name : names)
      if (library == nullptr) library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw harness::Skip(names.front() + " is not installed");
    aligned_ = reinterpret_cast<Aligned>(dlsym(library, "aligned_alloc"));
    free_ = reinterpret_cast<c10::DeleterFnPtr>(dlsym(library, "free"));
    if (aligned_ == nullptr || free_ == nullptr) throw harness::Skip(names.front() + " lacks aligned_alloc");
  }
  c10::DataPtr allocate(std::size_t size) override {
    constexpr std::size_t alignment = 64;  // LibTorch's
    void* bytes = size == 0 ? nullptr : aligned_(alignment, (size + alignment - 1) / alignment * alignment);
    if (size > 0 && bytes == nullptr) throw std::bad_alloc();
    return {bytes, bytes, free_, c10::Device(c10::DeviceType::CPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return free_; }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    default_copy_data(to, from, count);
  }

 private:
  using Aligned = void* (*)(std::size_t, std::size_t);
  Aligned aligned_ = nullptr;
  c10::DeleterFnPtr free_ = nullptr;
};

/// Switches, and in the end puts back what a worker starts with.
class AllocatorSwitch {
 public:
  AllocatorSwitch() : before_(c10::GetCPUAllocator()) {}
  AllocatorSwitch(const AllocatorSwitch&) = delete;
  AllocatorSwitch& operator=(const AllocatorSwitch&) = delete;
  ~AllocatorSwitch() { keep_freed(); }

  /// glibc as it is by itself for blocks above 32 MiB: mapped when asked for, unmapped when freed.
  void map_each_block() {
    c10::SetCPUAllocator(before_);
    // NOLINTBEGIN(concurrency-mt-unsafe): between slots, while no other thread asks for memory
    mallopt(M_MMAP_MAX, 65536);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
    // NOLINTEND(concurrency-mt-unsafe)
  }
  void keep_freed() {
    c10::SetCPUAllocator(before_);
    harness::keep_freed_memory();
  }
  /// `allocator` must live until the next switch.
  static void use(LibraryAllocator& allocator) { c10::SetCPUAllocator(&allocator); }

 private:
  c10::Allocator* before_;
};

}  // namespace microbench
