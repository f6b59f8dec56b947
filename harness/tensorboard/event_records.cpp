#include "harness/tensorboard/event_records.hpp"

#include <array>
#include <bit>

namespace harness::tensorboard {
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

Message metadata(std::string_view plugin, std::string_view content, std::string_view about) {
  Message all, data;
  data.bytes(1, plugin);
  if (!content.empty()) data.bytes(2, content);
  all.message(1, data);
  if (!about.empty()) all.bytes(3, about);
  return all;
}

Message named(std::string_view tag) { return Message().bytes(1, tag); }

}  // namespace

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
  if (!about.empty()) scalar.message(9, metadata("scalars", {}, about));
  return value_record(moment, scalar);
}

std::string image_record(const Moment& moment, std::string_view tag, const Image& image,
                         std::string_view about) {
  constexpr std::uint64_t rgb = 3;
  const auto content = Message()
                           .whole(1, static_cast<std::uint64_t>(image.height))
                           .whole(2, static_cast<std::uint64_t>(image.width))
                           .whole(3, rgb)
                           .bytes(4, image.png);
  return value_record(moment, named(tag).message(4, content).message(9, metadata("images", {}, about)));
}

std::string text_record(const Moment& moment, std::string_view tag, std::string_view text) {
  constexpr std::uint64_t of_strings = 7;  // DataType: DT_STRING
  const auto tensor = Message().whole(1, of_strings).message(2, {}).bytes(8, text);
  return value_record(moment, named(tag).message(8, tensor).message(9, metadata("text", {}, {})));
}

std::string plugin_record(const Moment& moment, std::string_view tag, std::string_view plugin,
                          const Message& content) {
  constexpr std::uint64_t of_floats = 1;  // DataType: DT_FLOAT
  const auto one_empty_dimension = Message().message(2, {});
  const auto nothing = Message().whole(1, of_floats).message(2, one_empty_dimension);
  return value_record(moment,
                      named(tag).message(8, nothing).message(9, metadata(plugin, content.text(), {})));
}

}  // namespace harness::tensorboard
