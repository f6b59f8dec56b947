// Seconds as the simulation counts them.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/simulate/schedule.hpp"

#include <cmath>

namespace harness::simulate {

constexpr double giga = 1e9;
constexpr double tera = 1e12;
constexpr double micro = 1e-6;

/// Throws BadInput where the time is longer than any time line may be.
inline Nanoseconds nanoseconds(double seconds) {
  if (!(seconds * giga <= static_cast<double>(longest_line)))
    throw BadInput("a call takes more than three years, which is longer than times are counted");
  return std::llround(seconds * giga);
}
inline double seconds(Nanoseconds time) { return static_cast<double>(time) / giga; }

}  // namespace harness::simulate
