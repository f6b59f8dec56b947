#include "workloads/training/trial.hpp"

#include "harness/core/median.hpp"

#include <ATen/ATen.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace workloads::training {
namespace {

using harness::Answer;
using harness::Form;

struct Pair {
  Trainer naive, optimized;
  Trainer& of(Form form) { return form == Form::naive ? naive : optimized; }
};

void run_unit(Trainer& trainer, TimedUnit unit) {
  if (unit == TimedUnit::step)
    trainer.step();
  else
    trainer.epoch();
}

/// After an epoch its mean loss beside the times.
harness::Figure validation_loss(Pair& pair) {
  const auto loss_of = [](Trainer& trainer) {
    trainer.restart();
    trainer.epoch();
    return trainer.validate().loss;
  };
  return {"validation loss after an epoch", "", loss_of(pair.naive), loss_of(pair.optimized)};
}

/// Of a few steps, the loss read behind each: the device has finished then.
double seconds_of_a_step(Trainer& trainer) {
  constexpr int tries = 5;
  std::vector<double> seconds;
  for (int i = 0; i < tries; ++i) {
    trainer.rewind(i);
    const auto begin = std::chrono::steady_clock::now();
    trainer.step();
    static_cast<void>(trainer.losses());
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return harness::median(std::move(seconds));
}

/// What compiling took, and after how many steps it has paid for itself, if it does.
std::vector<harness::Figure> compile_figures(Pair& pair) {
  const auto once = pair.optimized.compile_seconds();
  std::vector<harness::Figure> figures{{"to compile, once", "s", 0, once}};
  const auto saved = seconds_of_a_step(pair.naive) - seconds_of_a_step(pair.optimized);
  if (saved > 0) figures.push_back({"steps until compiling has paid", "", 0, once / saved});
  return figures;
}

}  // namespace

Forms rung_forms(bool Switches::* change) { return {.naive = below(change), .optimized = with(change)}; }

harness::Trial trainings_trial(const harness::Setup& setup, const Training& naive, const Training& optimized,
                               TimedUnit unit) {
  const auto pair =
      std::make_shared<Pair>(Trainer(naive.job, naive.switches), Trainer(optimized.job, optimized.switches));
  harness::Trial trial{
      .naive = [pair, unit] { run_unit(pair->naive, unit); },
      .optimized = [pair, unit] { run_unit(pair->optimized, unit); },
      .clear =
          [pair] {
            pair->naive.restart();
            pair->optimized.restart();
          },
      .answer = [pair, unit](Form form) -> Answer {
        auto& trainer = pair->of(form);
        if (unit == TimedUnit::step) return trainer.first_step();
        // Later losses drift apart: see first_step.
        const auto losses = trainer.losses();
        return std::vector{losses.at(0), static_cast<float>(losses.size())};
      },
      // Each round trains another batch, and each of its slots the same one.
      .before_slot = [pair, round = setup.round](Form form) { pair->of(form).rewind(round); },
      .warm_up = [pair](Form form) { pair->of(form).rehearse(); },
  };
  if (optimized.switches.compiled) trial.figures = [pair] { return compile_figures(*pair); };
  if (unit == TimedUnit::epoch) trial.figures = [pair] { return std::vector{validation_loss(*pair)}; };
  return trial;
}

harness::Trial forms_trial(const harness::Setup& setup, const Job& job, const Forms& forms) {
  return trainings_trial(setup, {job, forms.naive}, {job, forms.optimized}, forms.unit);
}

}  // namespace workloads::training
