// Small things that every count over a trace needs.
#pragma once

#include "harness/trace/trace.hpp"

#include <cstdint>
#include <vector>

namespace harness::trace {

constexpr double us_per_ns = 1e-3;

constexpr double us_of(std::int64_t ns) { return static_cast<double>(ns) * us_per_ns; }

/// 0 of nothing.
constexpr double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// True if the event is one of those that are counted; an empty list counts all.
inline bool takes_part(const std::vector<bool>& inside, EventId id) { return inside.empty() || inside[id]; }

}  // namespace harness::trace
