// The line t = a + n / b through times of several sizes.
#pragma once

#include <optional>
#include <span>

namespace prices {

/// The time of one size.
struct Timed {
  double bytes = 0;
  double seconds = 0;
};

/// What starting costs, and what each byte adds.
struct Line {
  double start = 0;     // seconds
  double per_byte = 0;  // seconds
  double worst = 0;     // the largest distance of a time from the line, as a share of that time

  double at(double bytes) const { return start + per_byte * bytes; }
};

/// The line with the smallest sum of squared relative distances: sizes reach from 1 KiB to 1 GiB, and plain
/// least squares would see the largest only. Neither part is ever below 0. Nothing where there are not two
/// different sizes.
std::optional<Line> fit(std::span<const Timed> times);

/// The size at which the start costs as much as the bytes; nothing where one of them costs nothing.
std::optional<double> even_size(const Line& line);

}  // namespace prices
