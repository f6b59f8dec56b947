// When a device does two things at once.
#pragma once

#include "harness/simulate/timeline.hpp"

#include <array>

namespace harness::simulate {

/// What runs side by side: copies into the device and out of it, or copies and kernels.
enum class Overlap { both_ways, beside_kernels };
inline constexpr std::array overlaps{Overlap::both_ways, Overlap::beside_kernels};

/// How long both ran.
Nanoseconds overlapped(const Timeline& line, Overlap overlap);

}  // namespace harness::simulate
