#include "workloads/training/trial.hpp"

#include "harness/core/median.hpp"
#include "harness/core/same_answer.hpp"

#include "workloads/training/floor.hpp"
#include "workloads/training/size.hpp"

#include <ATen/ATen.h>

#include <type_traits>

namespace workloads::training {
namespace {

using harness::Answer;
using harness::Form;

/// A quarter's batches are made and trained like all others, and ten rounds of it take minutes.
constexpr std::int64_t parts_of_an_epoch_on_the_cpu = 4;

/// The later losses rest on gradients and moments: a wrong one shows in them, not in the first. Those behind
/// them are driven apart by rounding.
constexpr int compared_steps = 3;

using Trainers = Pair<Trainer>;

/// Rounding has gone through hundreds of updates when the validation loss is taken, not through three: ten
/// times as much is allowed it.
constexpr float room_for_validation = 10;

/// The first losses, and with the validation loss v behind the epoch v / (1 + v) as a share of the first: it
/// sees all that the epoch has trained, and a norm's statistics may blow up a v of its own. Of the losses
/// that are not compared the number is: their places hold the first one.
std::vector<float> epoch_answer(const Trainer& trainer) {
  auto losses = trainer.losses();
  for (std::size_t i = compared_steps; i < losses.size(); ++i) losses[i] = losses[0];
  if (const auto loss = trainer.first_validation_loss())
    losses.push_back(losses.at(0) * static_cast<float>(*loss / (1 + *loss)) / room_for_validation);
  return losses;
}

void run_unit(Trainer& trainer, TimedUnit unit) {
  if (unit == TimedUnit::step)
    trainer.step();
  else
    trainer.epoch();
}

/// Of the epoch that has shown the same answer; nothing where it was not asked for.
std::optional<harness::Figure> validation_loss(const Trainers& pair) {
  const auto naive = pair.naive.first_validation_loss(), optimized = pair.optimized.first_validation_loss();
  if (!naive || !optimized) return std::nullopt;
  return harness::Figure{"validation loss after a first epoch", "", *naive, *optimized};
}

/// Of a few steps, the loss read behind each: the device has finished then. From the shortest to the longest.
std::vector<double> seconds_of_steps(Trainer& trainer) {
  constexpr int tries = 5;
  std::vector<double> seconds;
  for (int i = 0; i < tries; ++i) {
    trainer.rewind(i);
    const auto begin = std::chrono::steady_clock::now();
    trainer.step();
    static_cast<void>(trainer.losses());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::ranges::sort(seconds);
  return seconds;
}

/// True where the forms differ by the compiler and nothing else.
bool by_compiler_alone(Switches naive, const Switches& optimized) {
  naive.compiled = true;
  return naive == optimized;
}

/// What compiling took, and after how many steps it has paid for itself, where every compiled step was
/// shorter than any other. Of forms that differ by more, other changes have saved a part of the steps' time,
/// and nobody can tell which.
std::vector<harness::Figure> compile_figures(Trainers& pair, bool alone) {
  const auto once = pair.optimized.compile_seconds();
  std::vector<harness::Figure> figures{{"to compile, once", "s", 0, once}};
  if (!alone) return figures;
  const auto naive = seconds_of_steps(pair.naive), optimized = seconds_of_steps(pair.optimized);
  if (optimized.back() < naive.front())
    figures.push_back({"steps until compiling has paid", "", 0,
                       once / (harness::median(naive) - harness::median(optimized))});
  return figures;
}

/// The floor is one of FP32: other formats have other rates.
bool in_single_precision(const Switches& switches) {
  return !switches.tf32 && !switches.bf16 && !switches.fp16;
}

/// Compiled code keeps its gradients to itself, and those of FP16 are infinite where a step was left out.
bool shows_gradients(const Switches& switches) { return !switches.compiled && !switches.fp16; }

/// Of a step, or of an epoch's training steps: the validation pass behind them comes on top.
Work work_of(const Trainer& trainer, TimedUnit unit) {
  const auto step = trainer.step_work();
  const auto times = unit == TimedUnit::step ? 1. : static_cast<double>(trainer.batches_per_epoch());
  return {times * step.bytes, times * step.flop, times * step.link_bytes};
}

/// What stands beside the times of a row; the floor where there are rates.
std::vector<harness::Figure> figures(Trainers& pair, TimedUnit unit, bool compiler_alone,
                                     const std::shared_ptr<const Rates>& rates) {
  std::vector<harness::Figure> all;
  if (const auto loss = validation_loss(pair)) all.push_back(*loss);
  if (pair.optimized.compile_seconds() > 0) {
    const auto compiling = compile_figures(pair, compiler_alone);
    all.insert(all.end(), compiling.begin(), compiling.end());
  }
  if (rates == nullptr) return all;
  const auto floor = floor_figures(work_of(pair.naive, unit), work_of(pair.optimized, unit), *rates);
  all.insert(all.end(), floor.begin(), floor.end());
  return all;
}

/// An answer is kept in floats, which round by up to 1.2e-7.
constexpr harness::Tolerance in_double{.relative = 2e-7, .why = "FP64 rounds to 53 bits"};

/// As many as a rung compares in its own format: what goes wrong from the third on must show here too.
constexpr int steps = 3;

/// More samples show no more, and a batch norm wants a few.
constexpr std::int64_t largest_batch = 4;

at::Tensor as_double(const at::Tensor& values) {
  return values.is_floating_point() ? values.to(at::kDouble) : values;
}

/// All that is learned from: a batch has samples from anywhere.
Dataset in_double_alone(Dataset all) {
  all.validation = 0;
  all.get = [get = std::move(all.get)](std::int64_t i) {
    const auto sample = get(i);
    return Sample{as_double(sample.input), as_double(sample.target)};
  };
  return all;
}

std::vector<float> answer_of(Training training) {
  auto& [job, switches] = training;
  job.type = at::kDouble;
  job.batch_size = std::min(job.batch_size, largest_batch);
  job.dataset = std::make_shared<Dataset>(in_double_alone(*job.dataset));
  switches.compiled = false;
  Trainer trainer(job, switches);
  for (int i = 0; i < steps; ++i) trainer.step();
  return trainer.answer(/*with_gradients=*/true);
}

void require_same(const std::vector<float>& naive, const std::vector<float>& optimized) {
  try {
    harness::require_same(naive, optimized, in_double);
  } catch (const harness::Disagreement& error) {
    throw harness::Disagreement("in FP64 " + std::string(error.what()));
  }
}

}  // namespace

harness::Trial trainings_trial(harness::Setup& setup, const Training& naive, const Training& optimized,
                               TimedUnit unit) {
  const auto pair = std::make_shared<Trainers>(Trainer(naive.job, naive.switches),
                                               Trainer(optimized.job, optimized.switches));
  auto trial = pair_trial(pair, [unit](Trainer& trainer) { run_unit(trainer, unit); });
  const bool gradients = shows_gradients(naive.switches) && shows_gradients(optimized.switches);
  trial.answer = [pair, unit, gradients](Form form) -> Answer {
    auto& trainer = pair->of(form);
    if (unit == TimedUnit::step) return trainer.answer(gradients);
    return epoch_answer(trainer);
  };
  trial.answer_runs = unit == TimedUnit::step ? compared_steps : 1;
  // Each round trains another batch, or an epoch in another order, and each of its slots the same.
  trial.before_slot = [pair, unit, round = setup.round](Form form) {
    auto& trainer = pair->of(form);
    if (unit == TimedUnit::step)
      trainer.rewind(round);
    else
      trainer.rewind_to_epoch(round);
  };
  trial.warm_up = [pair](Form form) { pair->of(form).rehearse(); };
  const bool single = in_single_precision(naive.switches) && in_single_precision(optimized.switches);
  if (single || unit == TimedUnit::epoch || optimized.switches.compiled || naive.job.scale > 0)
    trial.figures = [pair, unit, single, alone = by_compiler_alone(naive.switches, optimized.switches),
                     name = naive.job.name, scale = naive.job.scale, &setup] {
      tell_scale(setup, name, scale);
      auto all = figures(*pair, unit, alone, single ? session_rates(setup) : nullptr);
      if (scale > 0) all.insert(all.begin(), {"scale", "", scale, scale});
      return all;
    };
  return trial;
}

harness::Trial forms_trial(harness::Setup& setup, const Job& job, const Forms& forms) {
  constexpr std::int64_t least_of_a_norm = 3;
  if (job.batch_norm && job.batch_size < least_of_a_norm)
    throw harness::Skip(fmt::format(
        "a batch norm over so few images ({}) turns rounding into a large difference, so no two forms "
        "agree; use --batch-size {} or more",
        job.batch_size, least_of_a_norm));
  auto timed = job;
  if (forms.unit == TimedUnit::epoch && !setup.device.is_cuda())
    timed.dataset =
        std::make_shared<Dataset>(part_of(*job.dataset, parts_of_an_epoch_on_the_cpu, job.batch_size));
  auto trial = trainings_trial(setup, {timed, forms.naive}, {timed, forms.optimized}, forms.unit);
  if (by_compiler_alone(forms.naive, forms.optimized)) return trial;  // FP64 would compare a form with itself
  trial.answer = [answer = std::move(trial.answer), &setup, job, forms](Form form) {
    if (form == Form::optimized) check_same_in_double(setup, job, forms.naive, forms.optimized);
    return answer(form);
  };
  return trial;
}

harness::Trial rung_trial(harness::Setup& setup, MakeJob make, bool Switches::* change, TimedUnit unit) {
  const auto* const rung = std::ranges::find(ladder, change, &Rung::change);
  if (rung->needs_device != nullptr && !setup.device.is_cuda()) throw harness::Skip(rung->needs_device);
  return forms_trial(setup, make(setup), rung_forms(change, unit));
}

void check_same_in_double(const Training& naive, const Training& optimized) {
  require_same(answer_of(naive), answer_of(optimized));
}

void check_same_in_double(harness::Setup& setup, const Job& job, const Switches& naive,
                          const Switches& optimized) {
  const auto kept = [&](Switches switches) {
    switches.compiled = false;
    static_assert(std::has_unique_object_representations_v<Switches>);
    const std::string form(reinterpret_cast<const char*>(&switches), sizeof switches);
    return setup.shared<std::vector<float>>(job.name + "/in FP64/" + form,
                                            [&] { return answer_of({job, switches}); });
  };
  require_same(*kept(naive), *kept(optimized));
}

}  // namespace workloads::training
