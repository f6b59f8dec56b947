#include "workloads/stgym/measure/trial.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/measure/figures.hpp"
#include "workloads/stgym/measure/floor.hpp"
#include "workloads/stgym/space/config_option.hpp"
#include "workloads/stgym/train/prefetch_feed.hpp"
#include "workloads/stgym/train/session_dataset.hpp"
#include "workloads/stgym/train/trainer.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <memory>

namespace workloads::stgym {
namespace {

using harness::Answer;
using harness::Device;
using harness::Figure;
using harness::Form;
using harness::numbers_of;
using harness::Point;
using harness::Setup;
using harness::Skip;
using harness::torch_device;
using harness::Trial;
using harness::catalogue::to_string;

/// The set-up with the forms' scale where the user gave none.
Setup scaled(const Setup& setup, std::string_view scale) {
  auto copy = setup;
  const bool synthetic = setup.option("data", "synthetic") == "synthetic";
  if (synthetic && !scale.empty()) copy.options.try_emplace("scale", scale);
  return copy;
}

/// An untimed run that touches what the timed one will, and costs a step at most.
void warm_up(Trainer& trainer, TimedUnit unit) {
  if (unit == TimedUnit::eval)
    trainer.validate();
  else
    trainer.rehearse();
}

/// What is counted and, measured once for all rungs, how far away the floor is.
std::vector<Figure> all_figures(Arms& arms, Setup& setup) {
  auto all = figures(arms);
  const auto naive = arms.naive.compile_seconds();
  const auto optimized = arms.optimized.compile_seconds();
  if (naive + optimized > 0) all.push_back({"to compile, once", "s", naive, optimized});
  if (!arms.naive.trains_published_model()) return all;  // the floor is that model's
  const auto rates = training::session_rates(setup);
  const auto floor = floor_figures(arms.naive, arms.optimized, arms.unit, *rates);
  all.insert(all.end(), floor.begin(), floor.end());
  return all;
}

/// The highest change that the form has: "single_tail".
std::string form_name(const Switches& switches) {
  std::string name = "naive";
  for (const auto& rung : ladder)
    if (switches.*rung.change) name = rung.name;
  return name;
}

/// Only a step on a device is queued ahead of it: an epoch and a validation pass end with a result on the
/// host. A mark behind each step would make the host wait there, which a training does not.
bool is_pipelined(const Setup& setup, TimedUnit unit) {
  return setup.device.is_cuda() && unit == TimedUnit::step;
}

}  // namespace

std::shared_ptr<const Dataset> shared_dataset(Setup& setup, Data data, std::string_view scale) {
  const auto given = scaled(setup, scale);
  const auto options = data_options(given.options, setup.device);
  const auto found = options.find("scale");
  const auto key = "stgym/dataset " + (found == options.end() ? "1" : found->second);
  const auto device = data == Data::device ? setup.device : Device{};
  if (data == Data::pinned)
    return setup.shared<Dataset>(key + " in pinned memory",
                                 [&] { return pinned(*shared_dataset(setup, Data::host, scale)); });
  return setup.shared<Dataset>(key + " on " + to_string(device),
                               [&] { return move_to(session_dataset(given), torch_device(device)); });
}

Trial forms_trial(Setup& setup, const Forms& forms) {
  const auto unit = forms.unit;
  const bool pipelined = is_pipelined(setup, unit);
  const auto job = [&](Data data) {
    return Job{shared_dataset(setup, data, forms.scale),
               torch_device(setup.device),
               training_options(setup.options),
               setup.seed,
               forms.loader_kind,
               forms.graphs_move_alone,
               space::configuration_in(setup.options)};
  };
  const auto arms = std::make_shared<Arms>(
      std::array{job(forms.data), job(forms.optimized_data.value_or(forms.data))}, forms, setup.device);
  arms->names = {form_name(forms.naive), form_name(forms.optimized)};
  arms->log = training::log_plan(setup, "stgym");
  const auto of = [arms](Form form) -> Trainer& {
    return form == Form::naive ? arms->naive : arms->optimized;
  };
  return {
      .naive = [arms, unit] { run_unit(arms->naive, unit); },
      .optimized = [arms, unit] { run_unit(arms->optimized, unit); },
      .clear =
          [arms] {
            arms->naive.restart();
            arms->optimized.restart();
          },
      .answer = [of, unit](Form form) -> Answer {
        return unit == TimedUnit::eval ? numbers_of(of(form).validation().scores) : Answer(of(form).losses());
      },
      .answer_runs = unit == TimedUnit::step ? static_cast<int>(arms->naive.batches_per_epoch()) : 1,
      .before_slot =
          [of, pipelined, round = setup.round](Form form) {
            // Batches differ in size. Each round's slots train one of them, the next round's the next; a
            // pipelined slot trains all of an epoch.
            pipelined ? of(form).rewind_to_epoch(round) : of(form).rewind(round);
          },
      .warm_up = [of, unit](Form form) { warm_up(of(form), unit); },
      .figures = [arms, &setup] { return all_figures(*arms, setup); },
      .whole_slot = pipelined,
      .slot_multiple = pipelined ? arms->naive.batches_per_epoch() : 1,
  };
}

Forms rung_forms(const Point& point, bool Switches::* change) {
  const bool has_choice = std::ranges::any_of(point.at, [](const auto& c) { return c.axis == "against"; });
  const bool against_naive = has_choice && Against{point["against"]} == Against::naive;
  return {.naive = against_naive ? Switches{} : below(change),
          .optimized = with(change),
          .unit = TimedUnit{point["unit"]}};
}

void require_change(const Setup& setup, bool Switches::* change) {
  const auto configuration = space::configuration_in(setup.options);
  if (!configuration) return;
  auto reason = space::why_not(*configuration, change);
  if (reason.empty() && setup.device.is_cuda()) reason = space::why_not_on_cuda(*configuration, change);
  if (!reason.empty()) throw Skip(reason);
}

Trial rung_trial(Setup& setup, const Point& point, bool Switches::* change) {
  require_change(setup, change);
  return forms_trial(setup, rung_forms(point, change));
}

}  // namespace workloads::stgym
