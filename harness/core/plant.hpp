// A truth that is known because it was planted: both forms made the same, or one made slower by a share. What
// the program says of such rows shows how far it can be believed: docs/measuring.md 8.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline core {

/// What is done to the forms of a row. Slowing both shows a slower program to `compare --base --head`.
struct Plant {
  bool same_forms = false;  // A/A: the naive form is both
  double slow_naive = 0;    // by this share of each run's own time: 0.05
  double slow_optimized = 0;
  bool operator==(const Plant&) const = default;
};

/// Lengthens what runs between `begin` and `end` by a share of its own time.
struct Slowdown {
  std::function<void()> begin;
  std::function<void(double share)> end;
};

/// Seconds that only ever grow.
using SecondsNow = std::function<double()>;
double steady_seconds();

/// Keeps the calling thread busy: a sleep would come back some 50 us late, by the timer's slack. `wait`
/// blocks until the device has finished; empty on the host. Costs three readings of the clock, about 0.1 us a
/// run.
Slowdown busy_slowdown(std::function<void()> wait = {}, const SecondsNow& now = steady_seconds);

/// The set with the plant in it. Throws Skip where it is a pipelined form that is to be slowed: the rest of
/// its work goes on while the slowdown waits.
Trial planted(Trial trial, const Plant& plant, const Slowdown& slowdown);

}  // namespace harness::inline core
