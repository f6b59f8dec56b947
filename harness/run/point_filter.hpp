// `--point AXIS=VALUE` and `--point AXIS=LOW..HIGH`.
#pragma once

#include "harness/catalogue/catalogue.hpp"

#include <cstdint>
#include <limits>
#include <string>

namespace harness::run {

/// One `--point`, read. `value` is empty for a range.
struct PointFilter {
  std::string text;  // as it was given
  std::string axis;
  std::string value;
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  /// True if the coordinate, which lies on this axis, is taken.
  bool takes(const Coordinate& at) const;
};

/// Reads "bytes=1M..16MiB", "bytes=1M..", "n=256", "as=threads"; throws BadInput otherwise.
PointFilter parse_point(const std::string& text);

}  // namespace harness::run
