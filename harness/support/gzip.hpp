// Unpacks gzip data within bounds: what lies about its size or never ends costs no more than the bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace harness::inline support {

/// True where the bytes begin as gzip data do.
bool is_gzip(std::string_view bytes);

/// What the messages name, and how far unpacking goes.
struct UnpackLimits {
  std::string file;
  std::uint64_t most_bytes = 0;
  std::string advice = {};  // behind "more than N bytes": how to raise the limit
};

/// Where the unpacked bytes go.
struct Room {
  char* data = nullptr;
  std::size_t size = 0;
};

/// Room for `size` bytes that keeps what the room before held.
using MakeRoom = std::function<Room(std::size_t size)>;

/// Unpacks every gzip member of `packed`; what stands behind the last one is padding. Returns the bytes
/// unpacked. Throws BadInput, one sentence, where the data are damaged, cut short, or larger than allowed.
std::size_t unpack_gzip(std::string_view packed, const UnpackLimits& limits, const MakeRoom& make_room);

}  // namespace harness::inline support
