#include "workloads/stgym/trial.hpp"

#include "harness/torch/answer.hpp"

#include "workloads/stgym/fetch.hpp"
#include "workloads/stgym/figures.hpp"
#include "workloads/stgym/session_dataset.hpp"
#include "workloads/stgym/train.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <memory>

namespace workloads::stgym {
namespace {

using namespace harness;

/// The data set where the forms want it, once for all rungs.
std::shared_ptr<const Dataset> dataset_of(Setup& setup, Data data) {
  const auto device = data == Data::host ? Device{} : setup.device;
  return setup.shared<Dataset>("stgym/dataset on " + to_string(device),
                               [&] { return move_to(session_dataset(setup), torch_device(device)); });
}

/// An untimed run that touches what the timed one will, and costs a step at most.
void warm_up(Trainer& trainer, TimedUnit unit) {
  if (unit == TimedUnit::eval)
    trainer.validate();
  else
    trainer.rehearse();
}

}  // namespace

Trial forms_trial(Setup& setup, const Forms& forms) {
  const auto unit = forms.unit;
  const Job job{dataset_of(setup, forms.data), torch_device(setup.device), training_options(setup.options),
                setup.seed, forms.loader_kind};
  const auto arms = std::make_shared<Arms>(job, forms, setup.device);
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
          [of, round = setup.round](Form form) {
            // Batches differ in size: each round's slots train one, the next round's the next.
            of(form).rewind(round);
          },
      .warm_up = [of, unit](Form form) { warm_up(of(form), unit); },
      .figures = [arms] { return figures(*arms); },
  };
}

Forms rung_forms(const Point& point, bool Switches::* change) {
  const bool has_choice = std::ranges::any_of(point.at, [](const auto& c) { return c.axis == "against"; });
  const bool against_naive = has_choice && Against{point["against"]} == Against::naive;
  return {.naive = against_naive ? Switches{} : below(change),
          .optimized = with(change),
          .unit = TimedUnit{point["unit"]}};
}

Trial rung_trial(Setup& setup, const Point& point, bool Switches::* change) {
  return forms_trial(setup, rung_forms(point, change));
}

}  // namespace workloads::stgym
