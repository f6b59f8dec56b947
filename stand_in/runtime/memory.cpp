#include "stand_in/runtime/memory.hpp"

#include "stand_in/runtime.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace stand_in {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t alignment = 256;  // what CUDA promises
constexpr std::size_t range_size = std::size_t{128} << 30;
constexpr int unwritten = 0xff;

/// Between a block's end and its page's stand NaNs, by turns of these two bytes, that no arithmetic leaves as
/// they are.
unsigned char behind(std::uintptr_t address) { return address % 2 == 0 ? 0xa5 : 0xff; }

std::size_t pages_of(std::size_t size) { return (size + page - 1) / page * page; }
void* pointer(std::uintptr_t at) { return reinterpret_cast<void*>(at); }

/// A block ends where its last page ends, so that what runs past it is caught; its address is aligned.
std::uintptr_t first_page(const Block& block) { return block.at / page * page; }
std::size_t mapped_size(const Block& block) { return pages_of(block.at + block.size - first_page(block)); }

/// Between the block's end and its last page's.
std::size_t behind_it(const Block& block) {
  return first_page(block) + mapped_size(block) - block.at - block.size;
}

void fill_behind(const Block& block, std::uintptr_t end) {
  for (auto at = end; at < end + behind_it(block); ++at)
    *static_cast<unsigned char*>(pointer(at)) = behind(at);
}

[[noreturn]] void refuse_write(const char* where, const Block& block) {
  std::fprintf(stderr, "stand-in: work wrote %s of a block of %zu bytes on device %d\n", where, block.size,
               block.device);
  std::abort();
}

/// What leaves a block and stays on its pages is found when the block is freed. `begin`: where its bytes are
/// found.
void require_untouched_around(const Block& block, std::uintptr_t begin) {
  const auto* first = static_cast<const unsigned char*>(pointer(begin));
  const auto* before = first - (block.at - first_page(block));
  if (std::any_of(before, first, [](unsigned char byte) { return byte != unwritten; }))
    refuse_write("before the begin", block);
  for (auto at = begin + block.size; at < begin + block.size + behind_it(block); ++at)
    if (*static_cast<const unsigned char*>(pointer(at)) != behind(at)) refuse_write("past the end", block);
}

}  // namespace

Memory::Memory(int devices, std::size_t bytes_each)
    : bytes_each_(bytes_each), used_(static_cast<std::size_t>(devices)) {
  for (int i = 0; i < devices; ++i) {
    void* at = mmap(nullptr, 2 * range_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
      std::fputs("stand-in: there are no addresses for device memory (see ulimit -v)\n", stderr);
      std::_Exit(2);
    }
    madvise(at, 2 * range_size, MADV_DONTDUMP);
    ranges_.push_back({reinterpret_cast<std::uintptr_t>(at), range_size});
    next_.push_back(ranges_.back().begin + page);
  }
}

cudaError_t Memory::take(void** out, std::size_t size, const Block& wanted) {
  *out = nullptr;
  if (size == 0) return cudaSuccess;
  auto block = wanted;
  block.size = size;
  const std::unique_lock lock(mutex_);
  const auto status = block.kind == Kind::device ? take_device(block) : take_host(block);
  if (status != cudaSuccess) return status;
  blocks_[block.at] = block;
  *out = pointer(block.at);
  return cudaSuccess;
}

cudaError_t Memory::take_device(Block& block) {
  const auto index = static_cast<std::size_t>(block.device);
  const auto& range = ranges_[index];
  if (block.size > bytes_each_ - used_[index]) return cudaErrorMemoryAllocation;
  const auto mapped = pages_of(block.size);
  if (used_[index] + mapped > bytes_each_) return cudaErrorMemoryAllocation;
  const auto at = find_gap(block.device, mapped + page);
  if (at == 0) return cudaErrorMemoryAllocation;
  block.at = at + mapped - (block.size + alignment - 1) / alignment * alignment;
  void* work = pointer(at + range.size);
  if (mprotect(work, mapped, PROT_READ | PROT_WRITE) != 0) return cudaErrorMemoryAllocation;
  madvise(work, mapped, MADV_HUGEPAGE);
  std::memset(work, unwritten, mapped);
  fill_behind(block, block.at + block.size + range.size);
  used_[index] += mapped;
  return cudaSuccess;
}

cudaError_t Memory::take_host(Block& block) const {
  void* at = mmap(nullptr, pages_of(block.size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return cudaErrorMemoryAllocation;
  if (block.kind == Kind::pinned) std::memset(at, unwritten, block.size);
  block.at = reinterpret_cast<std::uintptr_t>(at);
  fill_behind(block, block.at + block.size);
  return cudaSuccess;
}

/// The next gap behind the latest block, so that an address that was freed is not soon another block's.
std::uintptr_t Memory::find_gap(int device, std::size_t pages) {
  const auto& range = ranges_[static_cast<std::size_t>(device)];
  auto& next = next_[static_cast<std::size_t>(device)];
  for (int turn = 0; turn < 2; ++turn) {
    for (auto it = blocks_.lower_bound(next); next + pages <= range.begin + range.size; ++it) {
      const auto end = it == blocks_.end() ? range.begin + range.size : first_page(it->second);
      if (end >= next + pages) {
        const auto at = next;
        next += pages;
        return at;
      }
      next = first_page(it->second) + mapped_size(it->second) + page;
    }
    next = range.begin + page;
  }
  return 0;
}

cudaError_t Memory::give_back(void* p, bool kinds_on_host) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  const std::unique_lock lock(mutex_);
  const auto found = blocks_.find(at);
  if (found == blocks_.end()) return cudaErrorInvalidValue;
  const auto kind = found->second.kind;
  if (kind == Kind::registered || (kind == Kind::pinned) != kinds_on_host) return cudaErrorInvalidValue;
  release(found->second);
  constexpr std::size_t remembered = 4096;
  freed_.push_front(found->second);
  if (freed_.size() > remembered) {
    const auto& oldest = freed_.back();
    if (oldest.kind != Kind::device) munmap(pointer(oldest.at), mapped_size(oldest));
    freed_.pop_back();
  }
  blocks_.erase(found);
  return cudaSuccess;
}

void Memory::release(const Block& block) {
  const auto size = mapped_size(block);
  if (block.kind != Kind::device) {  // its addresses stay taken: whoever still uses them is found
    require_untouched_around(block, block.at);
    constexpr int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    mmap(pointer(block.at), size, PROT_NONE, kind, -1, 0);
    return;
  }
  require_untouched_around(block, block.at + range_size);
  void* work = pointer(first_page(block) + range_size);
  madvise(work, size, MADV_DONTNEED);
  mprotect(work, size, PROT_NONE);
  used_[static_cast<std::size_t>(block.device)] -= size;
}

cudaError_t Memory::add_registered(const Block& block) {
  const std::unique_lock lock(mutex_);
  const auto after = blocks_.lower_bound(block.at);
  const bool overlaps =
      find_locked(block.at) != nullptr || (after != blocks_.end() && after->first < block.at + block.size);
  if (overlaps) return cudaErrorHostMemoryAlreadyRegistered;
  blocks_[block.at] = block;
  return cudaSuccess;
}

cudaError_t Memory::remove_registered(void* p) {
  const std::unique_lock lock(mutex_);
  const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(p));
  if (found == blocks_.end() || found->second.kind != Kind::registered)
    return cudaErrorHostMemoryNotRegistered;
  blocks_.erase(found);
  return cudaSuccess;
}

}  // namespace stand_in
