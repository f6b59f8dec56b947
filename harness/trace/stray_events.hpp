// Events that lie so far from all others in time that their stamp must be wrong.
#pragma once

#include "harness/trace/trace.hpp"

namespace harness::trace {

inline constexpr std::int64_t hour_ns = std::int64_t{3600} * 1'000'000'000;

struct Stray {
  EventId event = no_event;
  std::int64_t distance = 0;  // ns from all others; of one that lasts too long its length
};

/// Few events, at ten times the length of all the rest and 10 s at least. Those of the device that have no
/// stamp at all, but 0, are not asked.
std::vector<Stray> strays(const Trace& trace);

}  // namespace harness::trace
