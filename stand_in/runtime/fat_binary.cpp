// Which architectures a program's device code was compiled for. The layout is nvcc's; cuobjdump lists the
// same.
#include "stand_in/runtime/kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace stand_in {
namespace {

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const char* data;
  const void* rest;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_size;
  std::uint64_t size;  // of the entries
};
struct Entry {
  std::uint16_t kind;  // 1 is PTX, 2 a binary
  std::uint16_t version;
  std::uint32_t header_size;
  std::uint64_t size;
  std::uint32_t packed_size;
  std::uint32_t unused;
  std::uint16_t minor, major;
  std::uint32_t architecture;
};
constexpr std::uint32_t wrapper_magic = 0x466243b1;
constexpr std::uint32_t header_magic = 0xba55ed50;

}  // namespace

bool Module::runs_on(int major, int minor) const {
  if (code.empty()) return true;
  const int device = 10 * major + minor;
  return std::ranges::any_of(code, [&](const Code& one) {
    const bool same_major = one.architecture / 10 == major;
    return one.architecture <= device && (one.ptx || same_major);
  });
}

Module read_fat_binary(const void* raw) {
  Module module;
  Wrapper wrapper{};
  std::memcpy(&wrapper, raw, sizeof wrapper);
  if (wrapper.magic != wrapper_magic) return module;
  Header header{};
  std::memcpy(&header, wrapper.data, sizeof header);
  if (header.magic != header_magic) return module;
  const char* at = wrapper.data + header.header_size;
  const char* const end = at + header.size;
  while (at + sizeof(Entry) <= end) {
    Entry entry{};
    std::memcpy(&entry, at, sizeof entry);
    module.code.push_back({entry.kind == 1, static_cast<int>(entry.architecture)});
    at += entry.header_size + entry.size;
  }
  return module;
}

}  // namespace stand_in
