// What times of several sizes tell: the line t = a + n / b, and where batching pays.
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
  /// The size whose bytes cost as much as starting; 0 where bytes cost nothing.
  double break_even() const { return per_byte > 0 ? start / per_byte : 0; }
};

/// As far off its times may be, as a share of them, for a line to tell something.
inline constexpr double most_off = 0.25;

/// The line with the smallest sum of squared relative distances: sizes reach from 1 KiB to 1 GiB, and plain
/// least squares would see the largest only. Neither part is ever below 0. Nothing where there are not three
/// different sizes.
std::optional<Line> fit(std::span<const Timed> times);

/// The size up to which pieces take more than twice as long by themselves as batched into some larger size.
/// By the times alone, which come in order of size: no line need hold. Nothing where that is no size.
std::optional<double> batching_pays(std::span<const Timed> times);

}  // namespace prices
