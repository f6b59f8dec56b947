// The numbers that stand beside a rung's times.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include "workloads/stgym/measure/trial.hpp"
#include "workloads/stgym/train/trainer.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace workloads::stgym {

/// The two models of one trial.
struct Arms {
  Arms(const std::array<Job, 2>& jobs, const Forms& forms, const harness::Device& where)
      : naive(jobs[0], forms.naive), optimized(jobs[1], forms.optimized), device(where), unit(forms.unit) {}

  Trainer naive;
  Trainer optimized;
  harness::Device device;
  TimedUnit unit;
  std::array<std::string, 2> names = {};      // of the forms, in a log
  std::optional<training::LogPlan> log = {};  // of the whole run
};

/// One step, validation pass or epoch.
void run_unit(Trainer& trainer, TimedUnit unit);

/// Seconds per epoch where epochs were timed; copies and synchronizations of one unit, counted in a profiled
/// run of their own; after a whole run of their own, what it took and the task's metrics on the validation
/// and the test graphs, where epochs were timed.
std::vector<harness::Figure> figures(Arms& arms);

}  // namespace workloads::stgym
