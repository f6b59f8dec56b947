#include "harness/tensorboard/message.hpp"

#include <bit>
#include <cstring>

namespace harness::tensorboard {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
std::string bytes_of(const T& value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// Seven bits a byte, the lowest first.
std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

enum class Wire : std::uint8_t { varint = 0, eight_bytes = 1, sized = 2, four_bytes = 5 };

std::string head(int field, Wire wire) {
  return varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(wire));
}

}  // namespace

std::string raw(double value) { return bytes_of(value); }
std::string raw(float value) { return bytes_of(value); }
std::string raw(std::uint32_t value) { return bytes_of(value); }
std::string raw(std::uint64_t value) { return bytes_of(value); }

Message& Message::whole(int field, std::uint64_t value) {
  text_ += head(field, Wire::varint) + varint(value);
  return *this;
}

Message& Message::real(int field, double value) {
  text_ += head(field, Wire::eight_bytes) + raw(value);
  return *this;
}

Message& Message::single(int field, float value) {
  text_ += head(field, Wire::four_bytes) + raw(value);
  return *this;
}

Message& Message::bytes(int field, std::string_view value) {
  text_ += head(field, Wire::sized) + varint(value.size());
  text_ += value;
  return *this;
}

}  // namespace harness::tensorboard
