// Train in Lightning, or in a loop of your own.
//
// Question: Fifty steps of a model that takes next to nothing. How much longer do they take in Lightning?
//
// Lightning calls some twenty hooks around each batch, of the module, of every callback and of the strategy,
// and keeps counts of what it has done. That is Python, so a step costs some tenths of a millisecond more,
// whatever the model does. A Trainer without arguments also draws a progress bar, logs, and writes a
// checkpoint after each epoch. Ten callbacks whose hooks are empty cost forty more calls a step.
//
// When it does not matter: where a step takes far longer than that, which on a GPU means that the host is
// ahead of the device all the same. What a loop of your own costs: all that Lightning does for you.
//
// A row measures an epoch of 50 steps, 32 samples each, in one Python process: the first side in Lightning,
// up to the moment at which the next epoch would begin, the second by a plain loop over the same batches. It
// needs Python with torch and Lightning on PATH.
//
// Answer: By some tenths of a millisecond for each step, so tens of milliseconds for fifty; with a model
// that takes next to nothing that is most of the epoch. The published figure is 0.06 s for an epoch of a CNN
// on MNIST.

#include "harness/libtorch/python_training.hpp"

#include "microbench/tip.hpp"

namespace microbench::loop_lightning {

enum class Trainer : std::int64_t { bare, callbacks, defaults };
constexpr Axis axes[] = {
    {.name = "trainer",
     .about =
         "bare: without logger, progress bar and checkpoints; callbacks: with ten empty ones; defaults: as "
         "a Trainer is without arguments, and the loss is logged",
     .quick = {0},
     .labels = {"bare", "callbacks", "defaults"}}};

using Shared = std::shared_ptr<PythonTraining>;

Shared training(const Setup& setup, Trainer trainer) {
  return std::make_shared<PythonTraining>(PythonPlan{.callbacks = trainer == Trainer::callbacks ? 10 : 0,
                                                     .defaults = trainer == Trainer::defaults,
                                                     .threads = setup.threads,
                                                     .seed = setup.seed});
}

Trial prepare(Setup& setup, const Point& point) {
  const auto key = "loop/lightning/" + axes[0].text(point["trainer"]);
  const auto s = *setup.shared<Shared>(key, [&] { return training(setup, Trainer{point["trainer"]}); });
  return {
      .naive = [s] { s->epoch_in_lightning(); },
      .optimized = [s] { s->plain_epoch(); },
      .clear = [s] { s->restart(); },
      .answer = [s](Form) -> Answer { return s->losses(); },
  };
}

extern constexpr Step step = checked({
    .id = "loop/lightning",
    .claim = "A plain loop runs fifty tiny steps in less time than Lightning.",
    .sides = {"Lightning", "plain loop"},
    .source = {.title = "PyTorch Lightning, Benchmark performance vs. vanilla PyTorch",
               .url = "https://lightning.ai/docs/pytorch/stable/benchmarking/benchmarks.html",
               .where = "Time comparison"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "0.06 s an epoch of a CNN on MNIST",
                    .on_cpu = Outcome::helps},
    .row_seconds = 120,
});

}  // namespace microbench::loop_lightning
