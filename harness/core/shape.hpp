// What the units of a row look like beside their median: signs that the interval tells less than it seems to.
#pragma once

#include <span>

namespace harness::inline core {

/// True if the values fall into two heaps whose means lie more than `apart` from each other: the best split
/// in two (each with 15 % of the values and at least 3) leaves less than a tenth of the sum of squares within
/// the heaps. Normal values do so in 3 of 1,000 sets of 14 units, and practically never with 28.
bool bimodal(std::span<const double> values, double apart);

/// True if the values, in the order in which they were taken, depend on each other (p < 0.001): the runs test
/// about the median, or Ljung and Box's over about ln(n) lags. The interval rests on independent units. False
/// below 14 values and for values that are all equal.
bool autocorrelated(std::span<const double> values);

}  // namespace harness::inline core
