// Records of an event file, taken apart.
#pragma once

#include "harness/results/event_records.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <string>
#include <vector>

namespace harness::results {

template <class T>
T number_at(const std::string& bytes, std::size_t begin) {
  T value{};
  REQUIRE(begin + sizeof value <= bytes.size());
  std::memcpy(&value, bytes.data() + begin, sizeof value);
  return value;
}

/// The events' own bytes; both checksums of each are checked.
inline std::vector<std::string> events_of(const std::string& file) {
  std::vector<std::string> events;
  for (std::size_t begin = 0; begin < file.size();) {
    const auto length = number_at<std::uint64_t>(file, begin);
    REQUIRE(begin + 16 + length <= file.size());
    CHECK(number_at<std::uint32_t>(file, begin + 8) == masked_crc(file.substr(begin, 8)));
    events.push_back(file.substr(begin + 12, length));
    CHECK(number_at<std::uint32_t>(file, begin + 12 + length) == masked_crc(events.back()));
    begin += 16 + length;
  }
  return events;
}

}  // namespace harness::results
