// Each change saves passes over memory, calls or waits; none of them saves a product. What is left of a step
// when all are made is the products themselves, which only a shorter format makes shorter: that branch is a
// row of its own.
//
// When it does not matter: where products already took nearly all of the time. On a CPU nothing is copied to
// a device and nobody waits for one, which is what some of the rungs save. An epoch is timed on a quarter of
// the samples there.
#pragma once

#include "workloads/training/rung_step.hpp"

namespace workloads::training {

constexpr harness::Axis best_form_axes[] = {step_or_epoch};

/// The naive form against every kept rung.
inline Forms best_form(const harness::Point& point) {
  return {.naive = {}, .optimized = best(), .unit = TimedUnit{point["unit"]}};
}

constexpr harness::Step best_form_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("all of it"));
  step.axes = best_form_axes;
  step.other_costs = epoch_costs;
  step.expectation = harness::Expectation{.outcome = harness::Outcome::helps, .published = "no figure"};
  step.tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
