#include "microbench/loop/event_records.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <string>

namespace {

using microbench::masked_crc;
using microbench::scalar_record;

template <class T>
T at(const std::string& bytes, std::size_t begin) {
  T value{};
  std::memcpy(&value, bytes.data() + begin, sizeof value);
  return value;
}

TEST_CASE("the checksum is CRC-32C, masked as TFRecord files have it", "[loop]") {
  constexpr std::uint32_t of_nine_digits = 0xE3069283;  // RFC 3720's polynomial over "123456789"
  CHECK(masked_crc("123456789") == ((of_nine_digits >> 15) | (of_nine_digits << 17)) + 0xA282EAD8);
  CHECK(masked_crc("") == 0xA282EAD8);
}

TEST_CASE("a record has its length, its data and a checksum of each", "[loop]") {
  const auto record = scalar_record(3, "loss", 0.5F, 1.25);
  const auto length = at<std::uint64_t>(record, 0);
  REQUIRE(record.size() == 8 + 4 + length + 4);
  CHECK(at<std::uint32_t>(record, 8) == masked_crc(record.substr(0, 8)));
  CHECK(at<std::uint32_t>(record, 12 + length) == masked_crc(record.substr(12, length)));
}

TEST_CASE("a scalar is an Event with time, step and a summary of tag and value", "[loop]") {
  const auto record = scalar_record(300, "loss", 0.5F, 1.25);
  const auto event = record.substr(12, record.size() - 16);
  const std::string time("\x09\0\0\0\0\0\0\xF4\x3F", 9);            // field 1, a double: 1.25
  const std::string step("\x10\xAC\x02", 3);                        // field 2, a varint: 300
  const std::string value("\x0A\x04loss\x15\0\0\0\x3F", 11);        // tag, and field 2, a float: 0.5
  const auto summary = std::string("\x2A\x0D\x0A\x0B", 4) + value;  // field 5 with one field 1
  CHECK(event == time + step + summary);
}

}  // namespace
