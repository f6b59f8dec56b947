// The median, on its own because the timing code needs it without the rest of the statistics.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace harness::inline core {

/// The median; for an even count the mean of the middle two. Reorders its copy; needs at least one value.
inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

}  // namespace harness::inline core
