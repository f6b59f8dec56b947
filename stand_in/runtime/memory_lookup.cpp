// Questions about an address: whose is it, where does work find it, how is it called in a message?
#include "stand_in/runtime.hpp"
#include "stand_in/runtime/machine.hpp"
#include "stand_in/runtime/memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <sys/mman.h>

namespace stand_in {
namespace {

/// Whether a word of a kernel's arguments can be the address of host memory: a page of this process. Where
/// the lower half is a small number, it is an int, and what the upper half says stands behind it by chance.
bool is_mapped(std::uintptr_t address) {
  constexpr std::uintptr_t largest_number = 1 << 20;
  if (static_cast<std::uint32_t>(address) < largest_number) return false;
  constexpr std::uintptr_t page = 4096;
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
