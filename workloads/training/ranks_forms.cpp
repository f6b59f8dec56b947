#include "workloads/training/ranks_forms.hpp"

#include "harness/core/same_answer.hpp"

#include <fmt/format.h>

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

}  // namespace workloads::training
