#include "workloads/sage/sage_trial.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/read_graph.hpp"
#include "workloads/sage/sage_model.hpp"
#include "workloads/settings/train_settings.hpp"
#include "workloads/training/floor.hpp"
#include "workloads/training/size.hpp"
#include "workloads/training/train_job.hpp"
#include "workloads/training/trial.hpp"

#include <ATen/Parallel.h>

namespace workloads::sage {
namespace {

using harness::Form;

/// What a form must bring over the link. Of rows of which the device has some it is not known how many.
double link_bytes(const Switches& switches, const Subgraph& graph, double feature_bytes) {
  constexpr double number_bytes = sizeof(std::int64_t);
  if (switches.hot_rows) return 0;
  if (switches.sample_on_device) return number_bytes * static_cast<double>(graph.nodes_by_hop.front());
  if (switches.features_on_device) return number_bytes * static_cast<double>(graph.nodes());
  return feature_bytes;
}

/// Products forward and backward on trimmed layers; features gathered once, and over the link where there is
/// one; parameters, gradients and Adam's moments once.
training::Work step_work(const Job& job, const Switches& switches, const Subgraph& graph) {
  constexpr double products_a_layer = 2;  // of the neighbours' mean, of the node itself
  constexpr double passes_of_adam = 7;    // reads value, gradient, two moments; writes value and moments
  const auto hops = static_cast<std::int64_t>(job.fan_outs.size());
  const auto features = job.graph->features.size(1);
  training::Work work;
  for (std::int64_t layer = 0; layer < hops; ++layer) {
    const auto in = static_cast<double>(layer == 0 ? features : job.hidden);
    const auto out = static_cast<double>(layer + 1 == hops ? job.graph->classes : job.hidden);
    const auto rows = static_cast<double>(trimmed(graph, hops - 1 - layer).targets);
    const double passes = layer == 0 ? 2 : 3;  // features need no gradient
    work.flop += passes * products_a_layer * 2 * rows * in * out;
    work.bytes += training::float_bytes * passes_of_adam * products_a_layer * in * out;
  }
  const auto feature_bytes = (switches.half_features ? 0.5 : 1) * training::float_bytes *
                             static_cast<double>(graph.nodes() * features);
  work.bytes += 2 * feature_bytes;
  if (job.device.is_cuda()) work.link_bytes = link_bytes(switches, graph, feature_bytes);
  return work;
}

/// The later losses rest on gradients and moments: a wrong one shows in them, not in the first.
constexpr int compared_steps = 3;
constexpr std::int64_t steps_in_a_row = 4;
constexpr std::uint64_t data_seed = 1;
constexpr double scale_of_cpu = 1. / 8;
// Counted: 4 (1480 nodes + 256 edges) bytes of a batch, and two sets of all features; at 1/8 that gives 0.63
// GB, where a process grew by 0.625. No GPU has told.
constexpr training::Gigabytes needed{7, 5, 3};

bool is_one_step(TimedUnit unit) { return unit == TimedUnit::step || unit == TimedUnit::small; }

void run_unit(Trainer& trainer, TimedUnit unit) {
  if (is_one_step(unit))
    trainer.step();
  else
    trainer.steps(steps_in_a_row);
}

Parts timed_unit(Trainer& trainer, TimedUnit unit) {
  return is_one_step(unit) ? trainer.timed_step() : trainer.timed_steps(steps_in_a_row);
}

std::shared_ptr<const Graph> drawn_graph(harness::Setup& setup, double scale) {
  return setup.shared<Graph>(fmt::format("sage/{}", scale),
                             [&] { return power_law_graph(scale, data_seed); });
}

std::shared_ptr<const Graph> graph_of(harness::Setup& setup, double scale) {
  const auto folder = setup.option("graph", "");
  if (folder.empty()) return drawn_graph(setup, scale);
  return setup.shared<Graph>("sage/" + folder, [&] { return read_graph(folder); });
}

/// Of the quick suite.
Job small_job(harness::Setup& setup) {
  constexpr double scale = 1. / 256;
  return {.graph = drawn_graph(setup, scale),
          .batch_size = 4,
          .scale = scale,
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

struct PartOfStep {
  const char* seconds;
  const char* share;
  double Parts::* part;
};
constexpr PartOfStep parts_of_step[] = {
    {"a step's wait for its sample", "of a step: waits for its sample", &Parts::sample},
    {"a step's gathering", "of a step: gathers in the loop", &Parts::gather},
    {"a step's wait for copies", "of a step: waits for copies", &Parts::copy},
    {"a step's training", "of a step: trains", &Parts::train}};

/// What stands beside the times: the parts of a step and their shares of it, the device waited for behind
/// batch and training; the batch; the floor of what is timed.
std::vector<harness::Figure> figures(training::Pair<Trainer>& pair, const Job& job, TimedUnit unit,
                                     const training::Rates& rates) {
  const auto naive = timed_unit(pair.naive, unit), optimized = timed_unit(pair.optimized, unit);
  const auto whole = [](const Parts& parts) {
    return parts.sample + parts.gather + parts.copy + parts.train;
  };
  std::vector<harness::Figure> all;
  if (job.scale > 0) all.push_back({"scale", "", job.scale, job.scale});
  for (const auto& [seconds, share, part] : parts_of_step)
    all.push_back({seconds, "s", naive.*part, optimized.*part});
  for (const auto& [seconds, share, part] : parts_of_step)
    all.push_back({share, "%", 100 * naive.*part / whole(naive), 100 * optimized.*part / whole(optimized)});
  all.push_back({"a batch's nodes", "", static_cast<double>(naive.graph.nodes()),
                 static_cast<double>(optimized.graph.nodes())});
  const auto work = [&](const Trainer& trainer) {
    const auto of_step =
        step_work(job, trainer.switches(), naive.graph);  // the optimized one's may be padded
    training::Work sum;
    for (std::int64_t i = 0; i < (is_one_step(unit) ? 1 : steps_in_a_row); ++i) sum = sum + of_step;
    return sum;
  };
  const auto floors = training::floor_figures(work(pair.naive), work(pair.optimized), rates);
  all.insert(all.end(), floors.begin(), floors.end());
  return all;
}

}  // namespace

Job job(harness::Setup& setup) {
  const auto scale = training::scale_for(setup, needed);
  const bool computes_on_the_cpu = !setup.device.is_cuda() || scale == 0;
  return {.graph = graph_of(setup, scale == 0 ? scale_of_cpu : scale),
          .batch_size = settings::count_option(setup.options, "batch-size", computes_on_the_cpu ? 128 : 1024),
          .workers = setup.device.is_cuda() ? std::max(2, setup.threads / 2) : 2,
          .scale = scale,
          .seed = setup.seed,
          .device = harness::torch_device(setup.device)};
}

Job job_of(harness::Setup& setup, TimedUnit unit) {
  return unit == TimedUnit::small || unit == TimedUnit::small_steps ? small_job(setup) : job(setup);
}

harness::Trial forms_trial(harness::Setup& setup, const Job& job, const Forms& forms) {
  const auto pair =
      std::make_shared<training::Pair<Trainer>>(Trainer(job, forms.naive), Trainer(job, forms.optimized));
  const auto unit = forms.unit;
  auto trial = training::pair_trial(pair, [unit](Trainer& trainer) { run_unit(trainer, unit); });
  trial.answer = [pair](Form form) -> harness::Answer { return pair->of(form).answer(); };
  trial.answer_runs = is_one_step(unit) ? compared_steps : 1;
  // Each round trains other batches, and each of its slots the same.
  trial.before_slot = [pair, round = setup.round](Form form) {
    pair->of(form).rewind(round * steps_in_a_row);
  };
  trial.warm_up = [pair](Form form) { pair->of(form).step(); };
  trial.figures = [pair, job, unit, &setup] {
    if (unit == TimedUnit::step || unit == TimedUnit::steps)
      training::tell_scale(setup, "sage", job.scale);  // the small ones' is not memory's
    return figures(*pair, job, unit, *training::session_rates(setup));
  };
  return trial;
}

harness::Trial rung_trial(harness::Setup& setup, bool Switches::* change, TimedUnit unit) {
  const auto* const why = rung_of(change).needs_device;
  if (why != nullptr && !setup.device.is_cuda()) throw harness::Skip(why);
  return forms_trial(setup, job_of(setup, unit),
                     {.naive = below(change), .optimized = with(change), .unit = unit});
}

harness::Trial best_form(harness::Setup& setup, const harness::Point& point) {
  const TimedUnit unit{point["unit"]};
  return forms_trial(setup, job_of(setup, unit), {.naive = {}, .optimized = best(), .unit = unit});
}

harness::worker::Trained train_job(harness::Setup& setup, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell) {
  settings::TrainSettings given(order.settings);
  auto asked = job(setup);
  auto switches = best();
  asked.batch_size = given.count("batch_size", asked.batch_size);
  asked.learning_rate *= given.factor("learning_rate", 1);
  asked.workers = static_cast<int>(given.count("workers", 0, 0));
  asked.batches_ready = static_cast<int>(given.count("prefetch", 2));
  switches.workers = switches.gather_in_workers = asked.workers > 0;
  switches.half_features = given.word("features", {"fp32", "bf16"}) == "bf16";
  const auto samples = given.count("samples", 16 * asked.batch_size);
  at::set_num_threads(static_cast<int>(given.count("threads", order.threads)));
  given.check_all_known();

  const auto steps = std::max<std::int64_t>(1, samples / harness::worker::training_parts / asked.batch_size);
  const auto make = [&] {
    const auto trainer = std::make_shared<Trainer>(asked, switches);
    return training::TrainingWork{.samples_of_part = steps * asked.batch_size,
                                  .batch = asked.batch_size,
                                  .epoch = asked.graph->training,
                                  .train_part =
                                      [trainer, steps] {
                                        trainer->steps(steps);
                                        static_cast<void>(trainer->losses());
                                      },
                                  .loss = [trainer] { return trainer->validation_loss(); }};
  };
  return training::train_once(order.device, make, tell);
}

}  // namespace workloads::sage
