#include "workloads/training/ranks_forms.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/rank.hpp"

#include "workloads/training/trainer.hpp"

namespace workloads::training {
namespace {

using harness::Answer;
using harness::Form;

const Trainee* trainee_of(const RanksForms& forms, Form form) {
  if (form == Form::optimized) return &forms.optimized;
  return forms.naive ? &*forms.naive : nullptr;
}

/// Empty where the form is another rank's.
Answer checked_first_step(const RanksForms& forms, Form form) {
  const auto* own = trainee_of(forms, form);
  if (own == nullptr) return FirstStep();
  auto step = own->first_step();
  const auto& alone = *forms.alone;
  if (!harness::is_same(alone, step, forms.tolerance))
    throw harness::Disagreement(fmt::format(
        "the first step has the loss {:.6g} and gradients of norm {:.6g}; one process alone has {:.6g} "
        "and {:.6g}",
        step.at(0), step.at(1), alone.at(0), alone.at(1)));
  return step;
}

}  // namespace

harness::Trial ranks_trial(const harness::Setup& setup, RanksForms given) {
  const auto forms = std::make_shared<const RanksForms>(std::move(given));
  const auto with = [forms](Form form, const auto& work) {
    if (const auto* own = trainee_of(*forms, form)) work(*own);
  };
  const auto step = [](const Trainee& one) { one.step(); };
  const auto restart = [](const Trainee& one) { one.restart(); };
  return {
      .naive = [with, step] { with(Form::naive, step); },
      .optimized = [with, step] { with(Form::optimized, step); },
      .clear =
          [with, restart] {
            with(Form::naive, restart);
            with(Form::optimized, restart);
          },
      .answer = [forms](Form form) { return checked_first_step(*forms, form); },
      // Each round trains another batch, and each of its slots the same one.
      .before_slot = [with, round = setup.round](
                         Form form) { with(form, [round](const Trainee& one) { one.rewind(round); }); },
      .warm_up = [with](Form form) { with(form, [](const Trainee& one) { one.rehearse(); }); },
  };
}

namespace {

/// Ranks read what they train: nothing is transformed before it is asked for.
Switches ranks_switches() {
  auto switches = best();
  switches.transform_ahead = false;
  return switches;
}

/// Without clipping: where gradients are scaled to a norm, it hides that all are off by the same factor.
Job job_in_parts(harness::Setup& setup, MakeJob make, std::int64_t parts, int ranks) {
  auto job = make(setup);
  job.clip = 0;
  job.parts = parts;
  job.batch_size *= parts;
  if (job.batch_size % (ranks * parts) != 0)
    throw harness::Skip(
        fmt::format("a batch of {} samples does not divide evenly among {} ranks", job.batch_size, ranks));
  return job;
}

/// The same batches in one process.
Job alone(Job job, int ranks) {
  job.parts = job.batch_norm ? ranks * job.parts : 1;
  return job;
}

Trainee with_others(Job job, DataParallel plan) {
  job.data_parallel = std::move(plan);
  return trainee(std::make_shared<Trainer>(std::move(job), ranks_switches()));
}

}  // namespace

harness::Trial ranks_trial(harness::Setup& setup, MakeJob make, const RanksPlan& plan,
                           const harness::Tolerance& tolerance) {
  const auto rank = harness::rank_of(setup);
  const auto job = job_in_parts(setup, make, plan.parts, rank->size());
  const auto one = alone(job, rank->size());
  const auto key = fmt::format("{}/first step/batch:{}/parts:{}", one.name, one.batch_size, one.parts);
  RanksForms forms{.naive = {},
                   .optimized = with_others(job, {.rank = rank}),
                   .alone = first_step_alone<Trainer>(setup, key, one, ranks_switches()),
                   .tolerance = tolerance};
  if (!plan.naive_is_alone)
    forms.naive = with_others(job, {rank, plan.naive_bucket, plan.naive_syncs_each_part});
  else if (rank->number() == 0)
    forms.naive = trainee(std::make_shared<Trainer>(one, ranks_switches()));
  return ranks_trial(setup, std::move(forms));
}

}  // namespace workloads::training
