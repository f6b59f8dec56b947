// How far off the model was: what the published figures that may be looked at say.
#pragma once

#include "harness/simulate/cost.hpp"
#include "harness/simulate/overlap.hpp"

#include <map>

namespace harness::simulate {

/// From the lowest of so many figures' errors to the highest.
struct ErrorRange {
  double lowest = 0;
  double highest = 0;
  int figures = 0;

  void take(double error);
};

struct ModelErrors {
  std::map<Kind, ErrorRange> kinds;        // simulated over published time
  std::map<Overlap, ErrorRange> overlaps;  // published minus simulated time, for each second that overlaps
};

/// n figures hold the next one between their ends with a share of (n - 1) / (n + 1).
ModelErrors known_errors();

}  // namespace harness::simulate
