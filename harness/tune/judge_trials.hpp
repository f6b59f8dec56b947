// What a search has found so far: which settings keep the limits, which are best, what trades speed for
// memory, and which knobs mattered.
#pragma once

#include "harness/tune/plan.hpp"
#include "harness/tune/tried.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace harness::tune {

/// All trials of one setting together: medians over those that are complete.
struct Found {
  Settings settings;
  double seconds_per_sample = 0;
  double peak_bytes = 0;
  double loss = 0;
  int trials = 0;
};

/// Complete trials by settings, in the order in which they were first tried.
std::vector<Found> found_in(std::span<const Tried> trials);

/// What the trials of the standard settings gave; nothing before one is complete.
std::optional<Found> standard_found(const Plan& plan, std::span<const Tried> trials);

/// How many times as long as the workload says the first trial of the standard settings took; at least 1.
double slowdown(const Plan& plan, std::span<const Tried> trials);

/// By how much the answer breaks the limits of memory and loss, as shares; not above 0 where it keeps them.
/// The loss is judged against the standard one; without that, or without a limit, a limit counts as kept.
std::vector<double> broken_limits(const Plan& plan, const run::Trained& answer,
                                  const std::optional<Found>& standard);

/// Settings that keep the limits, fastest first. The standard ones are among them.
std::vector<Found> best_first(const Plan& plan, std::span<const Tried> trials);

/// Of the settings that keep the limits, those of which no other is both faster and smaller, fastest first.
std::vector<Found> pareto_front(const Plan& plan, std::span<const Tried> trials);

/// How much of the scatter of ln(time) lies between the values of one knob: 0 to 1.
struct Importance {
  std::string knob;
  double share = 0;
};
/// Of every knob with more than one value among the complete trials, largest first. Knobs that were searched
/// together overlap: the shares need not add up to 1.
std::vector<Importance> importance(const Plan& plan, std::span<const Tried> trials);

}  // namespace harness::tune
