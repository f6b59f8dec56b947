#include "harness/run/point_filter.hpp"

#include "harness/support/quantity.hpp"

#include <string_view>

namespace harness::run {
namespace {

[[noreturn]] void refuse(const std::string& text) {
  throw BadInput("--point " + text + " is neither AXIS=VALUE nor AXIS=LOW..HIGH, as in bytes=1M..16M");
}

std::int64_t bound(const std::string& text, std::string_view side, std::int64_t open) {
  if (side.empty()) return open;
  const auto size = parse_size(side);
  if (!size)
    throw BadInput("--point " + text + ": '" + std::string(side) +
                   "' is not a number such as 256, 64K or 16MiB");
  return *size;
}

}  // namespace

bool PointFilter::takes(const Coordinate& at) const {
  const bool numeric = parse_size(at.text) == at.value;  // a label's value is only its place in the list
  if (value.empty()) return numeric && low <= at.value && at.value <= high;
  return at.text == value || (numeric && parse_size(value) == at.value);
}

PointFilter parse_point(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0 || equals + 1 == text.size()) refuse(text);
  PointFilter filter{.text = text, .axis = text.substr(0, equals), .value = text.substr(equals + 1)};
  const auto dots = filter.value.find("..");
  if (dots == filter.value.npos) return filter;
  const std::string_view range = filter.value;
  const auto low = range.substr(0, dots);
  const auto high = range.substr(dots + 2);
  if (low.empty() && high.empty()) refuse(text);
  filter.low = bound(text, low, filter.low);
  filter.high = bound(text, high, filter.high);
  if (filter.low > filter.high) throw BadInput("--point " + text + " ends before it begins");
  filter.value.clear();
  return filter;
}

}  // namespace harness::run
