#include "harness/results/event_records.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace harness::results {
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

std::string record(const Message& event) {
  const auto length = raw(static_cast<std::uint64_t>(event.text().size()));
  return length + raw(masked_crc(length)) + event.text() + raw(masked_crc(event.text()));
}

/// An Event with a summary of one value. Protobuf leaves out a number that is 0.
std::string value_record(const Moment& moment, const Message& value) {
  Message event;
  event.real(1, moment.wall_time);
  if (moment.step != 0) event.whole(2, static_cast<std::uint64_t>(moment.step));
  return record(event.message(5, Message().message(1, value)));
}

Message metadata(std::string_view plugin, std::string_view about) {
  Message all;
  all.message(1, Message().bytes(1, plugin));
  if (!about.empty()) all.bytes(3, about);
  return all;
}

Message named(std::string_view tag) { return Message().bytes(1, tag); }

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

std::uint32_t masked_crc(std::string_view bytes) {
  static constexpr auto table = crc_table();
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : bytes) crc = (crc >> 8) ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  constexpr std::uint32_t delta = 0xA282EAD8;
  return std::rotr(~crc, 15) + delta;
}

std::string version_record(double wall_time) {
  return record(Message().real(1, wall_time).bytes(3, "brain.Event:2"));
}

std::string scalar_record(const Moment& moment, std::string_view tag, float value, std::string_view about) {
  auto scalar = named(tag).single(2, value);
  if (!about.empty()) scalar.message(9, metadata("scalars", about));
  return value_record(moment, scalar);
}

std::string text_record(const Moment& moment, std::string_view tag, std::string_view text) {
  constexpr std::uint64_t of_strings = 7;  // DataType: DT_STRING
  const auto tensor = Message().whole(1, of_strings).message(2, {}).bytes(8, text);
  return value_record(moment, named(tag).message(8, tensor).message(9, metadata("text", {})));
}

}  // namespace harness::results
