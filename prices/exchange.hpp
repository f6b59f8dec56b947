// A collective, called by all ranks at once.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/ranks/rank.hpp"

#include "prices/collective.hpp"

#include <cstdint>

namespace prices {

/// Calls of a collective, one behind the other.
struct Exchange {
  Collective what = Collective::barrier;
  std::int64_t bytes = 0;  // S of bus_factor(): whole floats, as many for each rank
  std::int64_t calls = 1;
  std::int64_t checked = 0;  // 1: one call more, whose result every rank checks
};

/// This rank's part; the others take theirs. Seconds of the calls. One call before them is not timed, since
/// it makes what the others find, and all ranks begin together. Throws std::runtime_error for a wrong result.
double take_part(const harness::ranks::Group& group, const Exchange& exchange, const harness::Device& device);

}  // namespace prices
