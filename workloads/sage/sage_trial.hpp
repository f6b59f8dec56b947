// How a rung of the sampled GraphSAGE is measured, the form below it against one with it; and how
// `tuneproof train sage` trains.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/worker/worker_modes.hpp"

#include "workloads/sage/sage_switches.hpp"
#include "workloads/sage/sage_trainer.hpp"

namespace workloads::sage {

/// What is timed. `step`: sample, gather, copy, forward, backward, update of one batch. `steps`: four
/// batches in a row, with the start of the workers. `small`: a step that takes milliseconds, for the quick
/// suite; `small_steps`: four of these.
enum class TimedUnit : std::int64_t { step, steps, small, small_steps };

constexpr std::string_view unit_labels[] = {"step", "steps", "small", "small_steps"};
constexpr std::int64_t only_step[] = {0};
constexpr std::int64_t only_steps[] = {1};
constexpr std::int64_t only_small[] = {2};
constexpr std::int64_t steps_and_small[] = {1, 3};

constexpr harness::Axis unit_axis(harness::Few<std::int64_t> values) {
  return {.name = "unit",
          .about =
              "what is timed: step is sample, gather, copy, forward, backward and update of one batch; "
              "steps are four of them, with the start of the workers that sample ahead; small is a step of "
              "four seeds on a drawn graph of 1/256, whatever the options say; small_steps are four of these "
              "in a row",
          .values = values,
          .quick = only_small,
          .labels = unit_labels};
}
constexpr harness::Axis step_axes[] = {unit_axis(only_step)};
constexpr harness::Axis steps_axes[] = {unit_axis(only_steps)};
constexpr harness::Axis workers_axes[] = {unit_axis(steps_and_small)};

constexpr harness::Tolerance other_order{.relative = 1e-3, .why = "the forms add in another order"};
constexpr harness::Tolerance half_precision{.relative = 2e-2, .why = "BF16 keeps 8 bits of each feature"};

struct Forms {
  Switches naive;
  Switches optimized;
  TimedUnit unit = TimedUnit::step;
};

/// The graph of `--graph`, or a drawn one of `--scale`, and how it is trained on the session's device.
Job job(harness::Setup& setup);

/// The same, or what the quick suite trains.
Job job_of(harness::Setup& setup, TimedUnit unit);

harness::Trial forms_trial(harness::Setup& setup, const Job& job, const Forms& forms);

/// Throws Skip where the change needs a device that the session does not have.
harness::Trial rung_trial(harness::Setup& setup, bool Switches::* change, TimedUnit unit);

/// Prepares a rung of the table.
template <bool Switches::* change>
harness::Trial rung(harness::Setup& setup, const harness::Point& point) {
  return rung_trial(setup, change, TimedUnit{point["unit"]});
}

/// The naive form against every kept rung.
harness::Trial best_form(harness::Setup& setup, const harness::Point& point);

/// Rank 0 alone, with all parts of a batch, against all ranks with a part each.
harness::Trial ddp(harness::Setup& setup, const harness::Point& point);

/// Throws BadInput where a setting is wrong.
harness::worker::Trained train_job(harness::Setup& setup, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell);

}  // namespace workloads::sage
