#include "harness/results/event_records.hpp"

#include "tests/harness/results/records.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace {

using namespace harness::results;

TEST_CASE("the checksum is CRC-32C, masked as TFRecord files have it", "[tensorboard]") {
  constexpr std::uint32_t of_nine_digits = 0xE3069283;  // RFC 3720's polynomial over "123456789"
  CHECK(masked_crc("123456789") == ((of_nine_digits >> 15) | (of_nine_digits << 17)) + 0xA282EAD8);
  CHECK(masked_crc("") == 0xA282EAD8);
}

TEST_CASE("a record has its length, its data and a checksum of each", "[tensorboard]") {
  const auto record = scalar_record({1.25, 3}, "loss", 0.5F);
  const auto length = number_at<std::uint64_t>(record, 0);
  REQUIRE(record.size() == 8 + 4 + length + 4);
  CHECK(events_of(record).size() == 1);
}

TEST_CASE("a scalar is an Event with time, step and a summary of tag and value", "[tensorboard]") {
  const auto events = events_of(scalar_record({1.25, 300}, "loss", 0.5F));
  const std::string time("\x09\0\0\0\0\0\0\xF4\x3F", 9);            // field 1, a double: 1.25
  const std::string step("\x10\xAC\x02", 3);                        // field 2, a varint: 300
  const std::string value("\x0A\x04loss\x15\0\0\0\x3F", 11);        // tag, and field 2, a float: 0.5
  const auto summary = std::string("\x2A\x0D\x0A\x0B", 4) + value;  // field 5 with one field 1
  CHECK(events.at(0) == time + step + summary);
}

TEST_CASE("what a scalar means stands in its metadata, for the plugin of scalars", "[tensorboard]") {
  const auto event = events_of(scalar_record({0, 0}, "v", 1, "up")).at(0);
  // field 9 of 15 bytes: plugin_data (field 1, 9 bytes: its name), then the description (field 3).
  const std::string metadata("\x4A\x0F\x0A\x09\x0A\x07scalars\x1A\x02up", 17);
  CHECK(event.ends_with(metadata));
}

TEST_CASE("a file begins with the version of its format", "[tensorboard]") {
  const auto event = events_of(version_record(1.25)).at(0);
  CHECK(event == std::string("\x09\0\0\0\0\0\0\xF4\x3F\x1A\x0D", 11) + "brain.Event:2");
}

}  // namespace
