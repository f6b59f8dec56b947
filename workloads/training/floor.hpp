// How fast a step could be at best: bytes that any form must move and arithmetic that any form must do, over
// what this machine can do of both.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/training/rates.hpp"

#include <vector>

namespace workloads::training {

struct Work {
  double bytes = 0;
  double flop = 0;
  double link_bytes = 0;  // from the host to the device, where the data lie on the host
};
Work operator+(const Work& a, const Work& b);

/// What takes longest; copies, arithmetic and the link can go on at the same time.
double floor_seconds(const Work& work, const Rates& rates);

/// The floors of both forms' work, as figures beside a row's times. The last one, "floor", is what the table
/// gives the distance to.
std::vector<harness::Figure> floor_figures(const Work& naive, const Work& optimized, const Rates& rates);

}  // namespace workloads::training
