#include "microbench/loop/event_records.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace microbench {
namespace {

constexpr std::uint32_t castagnoli = 0x82F63B78;  // CRC-32C's polynomial, lowest bit first

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    auto crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? castagnoli : 0);
    table[byte] = crc;
  }
  return table;
}

template <class T>
std::string raw(const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Protobuf's integers: seven bits a byte, the lowest first.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

enum class Wire : std::uint8_t { varint = 0, eight_bytes = 1, sized = 2, four_bytes = 5 };

std::string field(std::uint64_t number, Wire wire) {
  return varint(number << 3 | static_cast<std::uint64_t>(wire));
}
std::string sized_field(std::uint64_t number, std::string_view bytes) {
  return field(number, Wire::sized) + varint(bytes.size()) + std::string(bytes);
}

}  // namespace

std::uint32_t masked_crc(std::string_view bytes) {
  static constexpr auto table = crc_table();
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  constexpr std::uint32_t delta = 0xA282EAD8;
  return std::rotr(~crc, 15) + delta;
}

std::string scalar_record(std::int64_t step, std::string_view tag, float value, double wall_time) {
  const auto scalar = sized_field(1, tag) + field(2, Wire::four_bytes) + raw(value);  // Summary.Value
  const auto event = field(1, Wire::eight_bytes) + raw(wall_time) + field(2, Wire::varint) +
                     varint(static_cast<std::uint64_t>(step)) + sized_field(5, sized_field(1, scalar));
  const auto length = raw(static_cast<std::uint64_t>(event.size()));
  return length + raw(masked_crc(length)) + event + raw(masked_crc(event));
}

}  // namespace microbench
