#include "workloads/stgym/trial.hpp"

#include "harness/torch/answer.hpp"

#include "workloads/stgym/fetch.hpp"
#include "workloads/stgym/figures.hpp"
#include "workloads/stgym/train.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <memory>

namespace workloads::stgym {
namespace {

using namespace harness;

/// The data set on the session's device, made once for all rungs.
std::shared_ptr<const Dataset> dataset_of(Setup& setup) {
  return setup.shared<Dataset>("stgym/dataset on " + to_string(setup.device), [&setup] {
    return move_to(load_dataset(data_options(setup.options, setup.device), setup.seed),
                   torch_device(setup.device));
  });
}

/// An untimed run that touches what the timed one will, and costs a step at most.
void warm_up(Trainer& trainer, TimedUnit unit) {
  if (unit == TimedUnit::eval)
    trainer.validate();
  else
    trainer.rehearse();
}

}  // namespace

Trial forms_trial(Setup& setup, const Forms& forms, TimedUnit unit) {
  const Job job{dataset_of(setup), training_options(setup.options), setup.seed};
  const auto arms = std::make_shared<Arms>(
      Arms{Trainer(job, forms.naive), Trainer(job, forms.optimized), setup.device, unit});
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
          [of](Form form) {
            of(form).losses();  // stops the rung where one is not finite
            if (of(form).finished()) of(form).restart();
          },
      .warm_up = [of, unit](Form form) { warm_up(of(form), unit); },
      .figures = [arms] { return figures(*arms); },
  };
}

Trial rung_trial(Setup& setup, const Point& point, bool Switches::* change) {
  const bool has_choice = std::ranges::any_of(point.at, [](const auto& c) { return c.axis == "against"; });
  const bool against_naive = has_choice && Against{point["against"]} == Against::naive;
  return forms_trial(setup, {against_naive ? Switches{} : below(change), with(change)},
                     TimedUnit{point["unit"]});
}

}  // namespace workloads::stgym
