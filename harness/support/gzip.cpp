#include "harness/support/gzip.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>

namespace harness::inline support {
namespace {

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* unpacker) const { libdeflate_free_decompressor(unpacker); }
};
using Unpacker = std::unique_ptr<libdeflate_decompressor, FreeDecompressor>;

[[noreturn]] void refuse_size(const UnpackLimits& limits, const char* or_else) {
  throw BadInput(fmt::format("{}: unpacks to more than the {} bytes allowed{}{}", limits.file,
                             limits.most_bytes, or_else, limits.advice));
}

/// What the last member says of its own size; a lie or the remainder modulo 2^32 costs only another try.
std::uint64_t first_guess(std::string_view packed) {
  std::uint32_t size = 0;
  if (packed.size() >= 18) std::memcpy(&size, packed.data() + packed.size() - sizeof size, sizeof size);
  const std::uint64_t most = 1032 * std::uint64_t{packed.size()};  // the highest ratio that deflate reaches
  return std::clamp<std::uint64_t>(size, 1, std::max<std::uint64_t>(most, 1));
}

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

std::size_t unpack_gzip(std::string_view packed, const UnpackLimits& limits, const MakeRoom& make_room) {
  const auto guess = first_guess(packed);
  if (guess > limits.most_bytes) refuse_size(limits, ", or is truncated");
  const Unpacker unpacker(libdeflate_alloc_decompressor());
  if (!unpacker) throw BadInput(fmt::format("{}: not enough memory to unpack it", limits.file));
  auto room = make_room(static_cast<std::size_t>(guess));
  std::size_t used = 0;
  while (is_gzip(packed)) {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    const auto result =
        libdeflate_gzip_decompress_ex(unpacker.get(), packed.data(), packed.size(), room.data + used,
                                      room.size - used, &consumed, &produced);
    if (result == LIBDEFLATE_INSUFFICIENT_SPACE) {
      if (room.size >= limits.most_bytes) refuse_size(limits, "");
      const auto twice = std::min<std::uint64_t>(std::uint64_t{room.size} * 2, limits.most_bytes);
      room = make_room(static_cast<std::size_t>(twice));
      continue;
    }
    if (result != LIBDEFLATE_SUCCESS)
      throw BadInput(fmt::format("{}: the gzip data are damaged or truncated", limits.file));
    packed.remove_prefix(consumed);
    used += produced;
  }
  return used;
}

}  // namespace harness::inline support
