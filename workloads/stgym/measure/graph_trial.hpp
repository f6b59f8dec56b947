// STGym trains graph neural networks on maps of gene activity in tissue. The steps of stgym/ are the changes
// that made one such training faster, each measured on top of those before it (docs/stgym.md).

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/training/floor.hpp"

// How every rung is measured: the form below it against the form with it, in the rung's unit of pairing.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/graph_loading.hpp"

namespace workloads::stgym {

struct Dataset;

/// What is timed. `step`: fetch a batch, forward, backward, optimizer. `eval`: a validation pass. `epoch`:
/// all training batches and a validation pass.
enum class TimedUnit : std::int64_t { step, eval, epoch };

/// What a rung is measured against: the kept rungs below it, or the first published version.
enum class Against : std::int64_t { below, naive };

constexpr std::string_view unit_labels[] = {"step", "eval", "epoch"};
constexpr std::int64_t only_step[] = {0};
constexpr std::int64_t only_eval[] = {1};
constexpr std::int64_t only_epoch[] = {2};
constexpr std::int64_t step_and_epoch[] = {0, 2};
constexpr std::int64_t eval_and_epoch[] = {1, 2};

constexpr harness::Axis against{
    .name = "against",
    .about = "below: the kept rungs below this one; naive: the first published version",
    .full = {0},
    .labels = {"below", "naive"}};

constexpr harness::Axis unit_axis(harness::Few<std::int64_t> values, harness::Few<std::int64_t> quick) {
  return {.name = "unit",
          .about =
              "what is timed: step is fetch, forward, backward and optimizer; eval a validation pass; epoch "
              "all training batches and a validation pass",
          .values = values,
          .quick = quick,
          .labels = unit_labels};
}

/// For a rung that changes the training step. The quick suite takes its declared unit against the rung below.
constexpr harness::Axis step_axes[] = {against, unit_axis(step_and_epoch, only_step)};
/// For a rung of ours, beyond the published end: against the rung below only.
constexpr harness::Axis our_axes[] = {unit_axis(step_and_epoch, only_step)};
/// With the default data on a CPU.
constexpr harness::RowCost epoch_costs[] = {{"unit:epoch", 35}};
/// Why losses on a GPU are compared with a tolerance, and which.
constexpr harness::Tolerance on_cuda{
    .relative = 1e-3,
    .why =
        "on a GPU sparse products and index_add add in the order of their atomics, which differs from run "
        "to run; the difference grows over the steps of the loss curve"};

/// A published rung, with what the records of most of them say; `axes` may be its own.
constexpr harness::Step published_step(harness::Step step) {
  step.suite = harness::Suite::quick;
  step.runs = harness::Runs::session;
  if (step.axes.empty()) step.axes = step_axes;
  step.cuda_tolerance = on_cuda;
  step.row_seconds = 11;
  step.other_costs = epoch_costs;
  return step;
}

/// The same of a rung of ours.
constexpr harness::Step our_step(harness::Step step) {
  if (step.axes.empty()) step.axes = our_axes;
  step = published_step(step);
  step.suite = harness::Suite::named;
  return step;
}

/// Where the data lie: on the session's device, as published, or on the host, from where each batch moves;
/// there in pageable or in pinned memory.
enum class Data : std::int64_t { device, host, pinned };
constexpr std::string_view data_labels[] = {"device", "host"};

/// The post that published the ladder; `where` is its part.
constexpr harness::Source post(std::string_view where) {
  return {"Optimizing PyTorch CUDA performance: a 90% speedup journey",
          "https://xiaohan2012.github.io/2025/torch-cuda-optimization", where};
}
/// Where the post's profiles come from.
constexpr std::string_view post_profile = "A30, 2 epochs";
/// Of the changes that the post does not name, together.
constexpr harness::PublishedFigure unnamed_changes[] = {
    {.name = "Self CPU", .unit = "s", .before = 7.0, .after = 5.6, .where = post_profile},
    {.name = "Self CUDA", .unit = "s", .before = 3.9, .after = 3.0, .where = post_profile},
};

/// Throws Skip where the change does nothing on the session's device, or has no slow form in the model of
/// --config.
void require_change(const harness::Setup& setup, bool Switches::* change);

/// The trial of the rung `change` at a point with the axis `unit` and, unless it is the lowest rung,
/// `against`. Throws BadInput for bad options, Skip where the data do not fit.
harness::Trial rung_trial(harness::Setup& setup, const harness::Point& point, bool Switches::* change);

/// Prepares a rung of the table.
template <bool Switches::* change>
harness::Trial rung(harness::Setup& setup, const harness::Point& point) {
  return rung_trial(setup, point, change);
}

/// Two forms, and what they have in common.
struct Forms {
  Switches naive;
  Switches optimized;
  TimedUnit unit = TimedUnit::step;
  Workers loader_kind = Workers::threads;
  Data data = Data::device;                 // of the naive form
  std::optional<Data> optimized_data = {};  // the same where empty
  bool graphs_move_alone = false;  // from the host each graph moves by itself, and is joined on the device
  std::string_view scale = {};  // of synthetic data where --scale does not say; empty: the device's default
};

/// The two forms of a rung at a point.
Forms rung_forms(const harness::Point& point, bool Switches::* change);

/// The data set where a form wants it, made once for all rungs of one scale: the user's, else the forms'
/// `scale`, else the device's default.
std::shared_ptr<const Dataset> shared_dataset(harness::Setup& setup, Data data, std::string_view scale);

/// The trial of two given forms.
harness::Trial forms_trial(harness::Setup& setup, const Forms& forms);

/// The same of forms that multiply rows in place on tensor cores, with the products' errors among the
/// figures. Throws Skip where they cannot.
harness::Trial rows_trial(harness::Setup& setup, const Forms& forms);

using training::float_bytes;
using training::Rates;
using training::Work;

/// Forward, backward and Adam on n nodes, in FP32. The weight's gradient needs what the whole forward pass
/// gives, so x is read twice; what the backward pass reads of the activations is written once and read once;
/// Adam reads value, gradient and moments, and writes all but the gradient, which is written before.
Work training_work(const ModelShape& shape, double nodes);

/// Forward only: x is read once.
Work prediction_work(const ModelShape& shape, double nodes);

/// Features and labels of n nodes come over the link.
Work link_work(const ModelShape& shape, double nodes);

/// What a unit of the trainer's needs; a step is that of the batch that figures count, nearly a mean one.
Work work_of(const Trainer& trainer, TimedUnit unit);

/// The floors of both forms' step, validation pass or epoch.
std::vector<harness::Figure> floor_figures(const Trainer& naive, const Trainer& optimized, TimedUnit unit,
                                           const Rates& rates);

}  // namespace workloads::stgym
