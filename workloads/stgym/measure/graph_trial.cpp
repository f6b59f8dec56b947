#include "workloads/stgym/measure/graph_trial.hpp"

#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/kineto.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/model/neighbour_sum.hpp"
#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/data_option.hpp"
#include "workloads/stgym/train/feeds.hpp"
#include "workloads/stgym/train/mapped_dataset.hpp"
#include "workloads/stgym/train/resident_graphs.hpp"
#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"
#include "workloads/training/size.hpp"

#include <ATen/ATen.h>

#include <cmath>
#include <numeric>

namespace workloads::stgym {
namespace {

using harness::Answer;
using harness::Counts;
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
void run_unit(Trainer& trainer, TimedUnit unit) {
  switch (unit) {
    case TimedUnit::step:
      return trainer.step();
    case TimedUnit::eval:
      return trainer.validate();
    case TimedUnit::epoch:
      return trainer.epoch();
  }
}

/// One form's numbers, in the order in which they are reported.
struct Side {
  Counts counts;
  HostIndices made;  // during the profiled unit
};

Side profiled(Trainer& trainer, const Arms& arms) {
  if (trainer.finished()) trainer.restart();
  if (arms.unit == TimedUnit::step) trainer.rewind(trainer.typical_batch());
  trainer.rehearse();  // captures are not the form's work
  const auto before = trainer.host_indices();
  Side side;
  side.counts = count(arms.device, [&] { run_unit(trainer, arms.unit); });
  const auto after = trainer.host_indices();
  side.made = {after.bytes - before.bytes, after.small_bytes - before.small_bytes,
               after.scalar_bytes - before.scalar_bytes};
  return side;
}

double sum(const std::vector<std::int64_t>& bytes) {
  return static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}));
}

/// What moved between host and device. Nothing does on the host, so there it is what LibTorch was asked for.
void add_counts(std::vector<Figure>& all, const Side& a, const Side& b, const Arms& arms) {
  const auto per = " per " + std::string(unit_labels[static_cast<std::size_t>(arms.unit)]);
  const auto add = [&](const std::string& name, const char* unit, auto of) {
    all.push_back({name + per, unit, static_cast<double>(of(a)), static_cast<double>(of(b))});
  };
  if (arms.device.is_cuda()) {
    add("HtoD bytes", "B", [](const Side& s) { return sum(s.counts.host_to_device); });
    add("HtoD copies", "calls", [](const Side& s) { return s.counts.host_to_device.size(); });
    add("DtoH bytes", "B", [](const Side& s) { return sum(s.counts.device_to_host); });
    add("DtoH copies", "calls", [](const Side& s) { return s.counts.device_to_host.size(); });
    add("synchronizations", "calls", [](const Side& s) { return s.counts.synchronizations; });
  }
  add("index bytes made on the host", "B", [](const Side& s) { return s.made.bytes + s.made.small_bytes; });
  add("ATen operators", "calls", [](const Side& s) { return s.counts.operators; });
  add("aten::copy_", "calls", [](const Side& s) { return s.counts.copies; });
  add("bytes written by aten::copy_", "B", [](const Side& s) { return s.counts.copied_bytes; });
}

/// A whole run from the first parameters to the test pass, which is how a training ends.
struct Run {
  Scores scores;
  double seconds = 0;
};

Run trained(Trainer& trainer, const std::shared_ptr<training::TrainingLog>& log) {
  const auto begin = std::chrono::steady_clock::now();
  trainer.restart();
  trainer.log_to(log);
  while (!trainer.finished()) trainer.epoch();
  trainer.log_to(nullptr);
  auto scores = trainer.test();
  if (log) log->close();
  return {std::move(scores), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// The metrics of the task, for each form; those that the labels do not define are left out.
void add_metrics(std::vector<Figure>& all, const std::string& part, const Scores& a, const Scores& b) {
  for (std::size_t i = 0; i < a.metrics.size(); ++i) {
    const auto& metric = a.metrics[i];
    if (std::isfinite(metric.value) && std::isfinite(b.metrics[i].value))
      all.push_back({part + " " + std::string(metric.name), std::string(metric.unit), metric.value,
                     b.metrics[i].value});
  }
}

void add_whole_run(std::vector<Figure>& all, Arms& arms) {
  const auto device = harness::torch_device(arms.device);
  const auto [a, naive_seconds] = trained(arms.naive, begin_log(arms.log, arms.names[0], device));
  const auto [b, optimized_seconds] = trained(arms.optimized, begin_log(arms.log, arms.names[1], device));
  all.push_back({"a whole run, once", "s", naive_seconds, optimized_seconds});
  add_metrics(all, "validation", arms.naive.validation(), arms.optimized.validation());
  add_metrics(all, "test", a, b);
}

/// Seconds per epoch where epochs were timed; copies and synchronizations of one unit, counted in a profiled
/// run of their own; after a whole run of their own, what it took and the task's metrics on the validation
/// and the test graphs, where epochs were timed.
std::vector<Figure> figures(Arms& arms) {
  std::vector<Figure> all;
  add_counts(all, profiled(arms.naive, arms), profiled(arms.optimized, arms), arms);
  if (arms.unit == TimedUnit::step) {
    const auto nodes = [](const Trainer& trainer) { return trainer.nodes_of(trainer.typical_batch()); };
    all.push_back({"nodes of the batch that these count", "nodes", nodes(arms.naive), nodes(arms.optimized)});
  }
  if (arms.unit == TimedUnit::epoch) add_whole_run(all, arms);
  return all;
}

/// The set-up with the forms' scale where the user gave none.
Setup scaled(const Setup& setup, std::string_view scale) {
  auto copy = setup;
  const bool synthetic = setup.option("data", "synthetic") == "synthetic";
  if (synthetic && !scale.empty()) copy.options.try_emplace("scale", scale);
  return copy;
}

/// The rehearsal's probe says which library multiplies a layer of a size, and all rounds do as it says.
training::LibrariesOf libraries_in(Setup& setup) {
  return [&setup](const at::Tensor& weight) {
    const auto key = fmt::format("stgym/libraries of {} x {}", weight.size(0), weight.size(1));
    return training::libraries_of(
        setup.calibrated(key, [&] { return training::number_of(training::faster_libraries(weight)); }));
  };
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
  if (const auto options = data_options(setup.options, setup.device);
      setup.device.is_cuda() && options.contains("scale") && !setup.options.contains("scale")) {
    const auto scale = space::scale_option(options);
    training::tell_scale(setup, "stgym", scale);
    all.push_back({"scale", "", scale, scale});
  }
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

/// Inputs and outputs of every linear layer behind the first, in floats a node.
struct Widths {
  double products = 0;    // sum of inputs * outputs
  double outputs = 0;     // sum of outputs
  double parameters = 0;  // of all layers, the first too
};

Widths widths_of(const ModelShape& shape) {
  Widths all;
  const auto add = [&](std::int64_t inputs, std::int64_t outputs) {
    all.products += static_cast<double>(inputs * outputs);
    all.outputs += static_cast<double>(outputs);
    all.parameters += static_cast<double>((inputs + 1) * outputs);
  };
  add(shape.hidden, shape.hidden);
  add(shape.hidden, shape.clusters);
  auto width = shape.clusters;
  for (const auto next : shape.post_hidden) {
    add(width, next);
    width = next;
  }
  add(width, shape.classes);
  all.parameters += static_cast<double>((shape.features + 1) * shape.hidden);
  return all;
}

/// Multiplications and additions of S'h and S'S.
double pooling_flop(const ModelShape& shape) {
  return 2 * static_cast<double>(shape.clusters * (shape.hidden + shape.clusters));
}

double first_layer_flop(const ModelShape& shape) {
  return 2 * static_cast<double>(shape.features * shape.hidden);
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
    return Job{.dataset = shared_dataset(setup, data, forms.scale),
               .device = torch_device(setup.device),
               .options = training_options(setup.options),
               .seed = setup.seed,
               .loader_kind = forms.loader_kind,
               .graphs_move_alone = forms.graphs_move_alone,
               .configuration = space::configuration_in(setup.options),
               .libraries = libraries_in(setup)};
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
  const auto& rung = *std::ranges::find(ladder, change, &Rung::change);
  const auto* const what_lacks = setup.device.is_cuda() ? rung.needs_host : rung.needs_device;
  if (what_lacks != nullptr) throw Skip(what_lacks);
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

Trial rows_trial(Setup& setup, const Forms& forms) {
  if (!tensor_cores_take_tf32(torch_device(setup.device)))
    throw Skip("tensor cores multiply TF32 and BF16 numbers from compute capability 8.0 on");
  const auto data = shared_dataset(setup, forms.data, forms.scale);
  const auto given = space::configuration_in(setup.options);
  if (!reads_rows(*data, forms.optimized, given ? *given : standard_configuration(*data),
                  training_options(setup.options).batch_size))
    throw Skip("these batches are joined, so that no product picks its rows");
  auto trial = forms_trial(setup, forms);
  trial.figures = [all_others = trial.figures, data, forms] {
    const auto error = [&](const Switches& form) {
      const Modes modes(form);
      return gathered_product_error(data->x, form.tensor_core_products, form.bf16_rows);
    };
    auto all = all_others();
    all.push_back({"error of x W' against FP64", "share", error(forms.naive), error(forms.optimized)});
    return all;
  };
  return trial;
}

Work training_work(const ModelShape& shape, double nodes) {
  const auto widths = widths_of(shape);
  const auto features = static_cast<double>(shape.features);
  const auto activations = static_cast<double>(shape.hidden) + widths.outputs;
  constexpr double adam = 8;  // times a parameter is read or written
  constexpr double label = 8;
  // Three products a layer, two of the first, whose input needs no gradient; S'h has no gradient here.
  return {nodes * (2 * float_bytes * features + 2 * float_bytes * activations + label) +
              adam * float_bytes * widths.parameters,
          nodes * (2 * first_layer_flop(shape) + 3 * 2 * widths.products + 2 * pooling_flop(shape))};
}

Work prediction_work(const ModelShape& shape, double nodes) {
  const auto widths = widths_of(shape);
  constexpr double label = 8;
  return {
      nodes * (float_bytes * static_cast<double>(shape.features) + label) + float_bytes * widths.parameters,
      nodes * (first_layer_flop(shape) + 2 * widths.products + pooling_flop(shape))};
}

Work link_work(const ModelShape& shape, double nodes) {
  constexpr double label = 8;
  return {.link_bytes = nodes * (float_bytes * static_cast<double>(shape.features) + label)};
}

Work work_of(const Trainer& trainer, TimedUnit unit) {
  const auto extent = trainer.extent();
  const auto& shape = extent.shape;
  const auto trained =
      unit == TimedUnit::step ? trainer.nodes_of(trainer.typical_batch()) : extent.training_nodes;
  Work work{.digits = trainer.in_tf32() ? training::Digits::tf32 : training::Digits::fp32};
  if (unit != TimedUnit::eval) work = work + training_work(shape, trained);
  if (unit != TimedUnit::step) work = work + prediction_work(shape, extent.validation_nodes);
  if (!trainer.moves_batches()) return work;
  const auto moved =
      (unit == TimedUnit::eval ? 0 : trained) + (unit == TimedUnit::step ? 0 : extent.validation_nodes);
  return work + link_work(shape, moved);
}

std::vector<harness::Figure> floor_figures(const Trainer& naive, const Trainer& optimized, TimedUnit unit,
                                           const Rates& rates) {
  return training::floor_figures(work_of(naive, unit), work_of(optimized, unit), rates);
}

}  // namespace workloads::stgym
