// Seconds as the simulation counts them.
#pragma once

#include "harness/simulate/schedule.hpp"

#include <cmath>

namespace harness::simulate {

constexpr double giga = 1e9;
constexpr double tera = 1e12;
constexpr double micro = 1e-6;

inline Nanoseconds nanoseconds(double seconds) { return std::llround(seconds * giga); }
inline double seconds(Nanoseconds time) { return static_cast<double>(time) / giga; }

}  // namespace harness::simulate
