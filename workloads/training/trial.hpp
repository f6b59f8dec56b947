// How a rung of ResNet-50, GPT or U-Net is measured: a training step of the form below it against one with
// it; and the same answer once more in FP64, where rounding hides nothing.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include "workloads/training/switches.hpp"
#include "workloads/training/trainer.hpp"

namespace workloads::training {

/// What is timed. `step`: fetch a batch, forward, backward, update. `epoch`: all training batches and a
/// validation pass.
enum class TimedUnit : std::int64_t { step, epoch };

constexpr std::string_view unit_labels[] = {"step", "epoch"};
constexpr std::int64_t only_step[] = {0};
constexpr std::int64_t only_epoch[] = {1};

constexpr harness::Axis unit_axis(harness::Few<std::int64_t> values) {
  return {.name = "unit",
          .about =
              "what is timed: step is fetch, forward, backward and update; epoch all training batches and "
              "a validation pass; on the CPU, of a quarter of the samples",
          .values = values,
          .labels = unit_labels};
}
constexpr harness::Axis step_or_epoch = unit_axis({0, 1});
constexpr harness::Axis step_axes[] = {unit_axis(only_step)};
constexpr harness::RowCost epoch_costs[] = {{"unit:epoch", 200}};
constexpr harness::Axis epoch_axes[] = {unit_axis(only_epoch)};

/// Of three losses and the buffers behind them, each form's sums in an order of its own.
constexpr harness::Tolerance other_order{
    .relative = 2e-3,
    .why = "the forms add in another order, and a batch norm over few values enlarges that"};
constexpr harness::Tolerance half_precision{.relative = 5e-2, .why = "BF16 keeps 8 bits of each factor"};

/// Two trainings, by whatever loop, held against each other.
template <class Trainer>
struct Pair {
  Trainer naive, optimized;
  Trainer& of(harness::Form form) { return form == harness::Form::naive ? naive : optimized; }
};

/// Their trial, but for the answer; `run` is what is timed of one of them.
template <class Trainers, class Run>
harness::Trial pair_trial(const std::shared_ptr<Trainers>& pair, const Run& run) {
  return {.naive = [pair, run] { run(pair->naive); },
          .optimized = [pair, run] { run(pair->optimized); },
          .clear =
              [pair] {
                pair->naive.restart();
                pair->optimized.restart();
              },
          .answer = {}};
}

/// Two forms, and what is timed of them.
struct Forms {
  Switches naive;
  Switches optimized;
  TimedUnit unit = TimedUnit::step;
};

/// The kept rungs below `change` against those rungs and `change`.
constexpr Forms rung_forms(bool Switches::* change, TimedUnit unit) {
  return {.naive = below(change), .optimized = with(change), .unit = unit};
}

/// The trial of two ways to train the same batches.
harness::Trial trainings_trial(harness::Setup& setup, const Training& naive, const Training& optimized,
                               TimedUnit unit);

/// The trial of two forms of a workload, whose answer is compared in FP64 too. An epoch on the CPU takes a
/// quarter of the job's samples.
harness::Trial forms_trial(harness::Setup& setup, const Job& job, const Forms& forms);

/// A workload's job on the session's device.
using MakeJob = Job (*)(harness::Setup&);

/// The trial of a rung. Throws Skip where its change needs a device that the session does not have.
harness::Trial rung_trial(harness::Setup& setup, MakeJob make, bool Switches::* change,
                          TimedUnit unit = TimedUnit::step);

/// Prepares a rung of a workload's table.
template <MakeJob make, bool Switches::* change, TimedUnit unit = TimedUnit::step>
harness::Trial rung(harness::Setup& setup, const harness::Point& /*point*/) {
  return rung_trial(setup, make, change, unit);
}

/// Prepares a step whose point says which forms are compared.
template <MakeJob make, Forms (*forms)(const harness::Point&)>
harness::Trial two_forms(harness::Setup& setup, const harness::Point& point) {
  return forms_trial(setup, make(setup), forms(point));
}

/// Trains a few samples in FP64 with both forms, as they are but without autocast and the compiler (whose
/// function is made for FP32), and compares losses, buffers, gradients and the parameters' way. Throws
/// harness::Disagreement where they differ by more than 2e-7.
void check_same_in_double(const Training& naive, const Training& optimized);

/// The same of two forms of the session's job. The answer of a form is kept: the form below a rung is the
/// rung below it, and a row's second set has the same forms.
void check_same_in_double(harness::Setup& setup, const Job& job, const Switches& naive,
                          const Switches& optimized);

}  // namespace workloads::training
