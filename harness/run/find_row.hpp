// Rows before they are measured: found by name, taken by `--point`, blank.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/step.hpp"
#include "harness/results/row.hpp"
#include "harness/run/select.hpp"

#include <limits>

namespace harness::run {

/// A step at a point on a kind of device.
struct StepAt {
  const Step* step = nullptr;
  Point point;
  Device device;
};

/// The row of that name; CUDA rows get the index `cuda_index`. Throws std::out_of_range where no step has it.
StepAt find_row(Steps steps, std::string_view name, int cuda_index);

/// A value or a range of one `--point`. `value` is empty for a range.
struct PointFilter {
  std::string text;  // "n=256"
  std::string axis;
  std::string value;
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  /// True if the coordinate, which lies on this axis, is taken.
  bool takes(const Coordinate& at) const;
};

/// Reads "bytes=1M..16MiB", "bytes=1M..", "n=256", "as=threads,processes"; throws BadInput otherwise.
std::vector<PointFilter> parse_points(const std::string& text);

/// Blank, or skipped where the session has no device for it.
results::Row first_row(const catalogue::Step& step, const catalogue::Row& planned,
                       const Selection& selection);

/// Leaves the row out of the session.
void skip(results::Row& row, std::string reason);

}  // namespace harness::run
