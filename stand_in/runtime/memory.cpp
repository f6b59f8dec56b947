#include "stand_in/runtime/memory.hpp"

#include "stand_in/runtime.hpp"
#include "stand_in/runtime/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

// Questions about an address: whose is it, where does work find it, how is it called in a message?

/// Whether a word of a kernel's arguments can be the address of host memory: a page of this process. Where
/// the lower half is a small number, it is an int, and what the upper half says stands behind it by chance.
bool is_mapped(std::uintptr_t address) {
  constexpr std::uintptr_t largest_number = 1 << 20;
  if (static_cast<std::uint32_t>(address) < largest_number) return false;
  constexpr std::uintptr_t lowest = 0x10000;
  constexpr std::uintptr_t highest = std::uintptr_t{1} << 47;
  if (address < lowest || address >= highest) return false;
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), page, &resident) == 0;
}

std::string in_words(std::uintptr_t address, const Block& block, const char* a_block_of) {
  return "byte " + std::to_string(address - block.at) + " of " + a_block_of + std::to_string(block.size) +
         " bytes" +
         (block.kind == Kind::device ? " on device " + std::to_string(block.device)
                                     : " of page-locked memory");
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

const Block* Memory::find_locked(std::uintptr_t address) const {
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return nullptr;
  --it;
  return it->second.holds(address) ? &it->second : nullptr;
}

const Block* Memory::find_freed(std::uintptr_t address) const {
  const auto found = std::ranges::find_if(freed_, [&](const Block& block) { return block.holds(address); });
  return found == freed_.end() ? nullptr : &*found;
}

std::optional<Block> Memory::find(const void* p) const {
  const std::shared_lock lock(mutex_);
  const auto* block = find_locked(reinterpret_cast<std::uintptr_t>(p));
  return block == nullptr ? std::nullopt : std::optional(*block);
}

bool Memory::was_freed(const void* p) const {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  const std::shared_lock lock(mutex_);
  const auto* block = find_freed(at);
  return block != nullptr && block->at == at && find_locked(at) == nullptr;
}

Place Memory::place_of(const void* p, std::size_t bytes) const {
  const auto block = find(p);
  if (!block) return range_of(p) == nullptr ? Place::pageable : Place::wrong;
  if (!block->holds(p, bytes)) return Place::wrong;
  if (block->kind == Kind::device) return Place::device;
  return block->kind == Kind::managed ? Place::managed : Place::host;
}

const AddressRange* Memory::range_of(const void* p) const {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const auto found =
      std::ranges::find_if(ranges_, [&](const AddressRange& range) { return range.holds(address); });
  return found == ranges_.end() ? nullptr : &*found;
}

std::size_t Memory::used(int device) const {
  const std::shared_lock lock(mutex_);
  return used_[static_cast<std::size_t>(device)];
}

std::string Memory::describe_work(std::uintptr_t address) const {
  for (const auto& range : ranges_)
    if (range.works_at(address)) return describe(address - range.size);
  return {};
}

std::string Memory::describe_freed_host(std::uintptr_t address) const {
  const std::shared_lock lock(mutex_, std::try_to_lock);
  const auto* block = lock.owns_lock() && find_locked(address) == nullptr ? find_freed(address) : nullptr;
  if (block == nullptr || block->kind == Kind::device) return {};
  return in_words(address, *block, "a freed block of ");
}

std::string Memory::describe(std::uintptr_t address) const {
  const std::shared_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return "device memory";
  const auto* block = find_locked(address);
  if (block != nullptr) return in_words(address, *block, "a block of ");
  if (const auto* freed = find_freed(address)) return in_words(address, *freed, "a freed block of ");
  auto it = blocks_.upper_bound(address);
  if (it == blocks_.begin()) return "device memory that is not allocated";
  --it;
  const auto past = address - it->second.at - it->second.size;
  constexpr std::uintptr_t near = 1 << 20;
  if (past > near) return "device memory that is not allocated";
  return std::to_string(past) + " bytes past the end of a block of " + std::to_string(it->second.size) +
         " bytes on device " + std::to_string(it->second.device);
}

bool is_device(const void* p) { return machine().memory.range_of(p) != nullptr; }

void* work_side(const void* p) {
  auto* bytes = static_cast<char*>(const_cast<void*>(p));
  if (p == nullptr) return nullptr;
  const auto& memory = machine().memory;
  if (const auto* range = memory.range_of(p)) {
    machine().require_reach(memory.device_of(*range));
    return bytes + range->size;
  }
  if (memory.find(p)) return bytes;
  const auto freed = memory.describe_freed_host(reinterpret_cast<std::uintptr_t>(p));
  if (!freed.empty()) throw HostPointer(freed);
  throw HostPointer("pageable host memory, which no device reaches");
}

void translate(void* arguments, std::size_t bytes) {
  auto* at = static_cast<char*>(arguments);
  for (std::size_t i = 0; i + sizeof(void*) <= bytes; i += sizeof(void*)) {
    void* word = nullptr;
    std::memcpy(&word, at + i, sizeof word);
    if (!is_device(word) && !is_mapped(reinterpret_cast<std::uintptr_t>(word))) continue;
    word = work_side(word);
    std::memcpy(at + i, &word, sizeof word);
  }
}

}  // namespace stand_in
