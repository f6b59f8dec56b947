// What Lightning's hooks and profiler cost an epoch of STGym by themselves.
//
// Question: An epoch of the published training is seven batches and two of validation, and took 21 s before
// it was made faster and 2 s after. Lightning ran its loop. What part of these seconds was Lightning's own?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Lightning calls its hooks around each batch, of the module, the callbacks and the strategy, and begins and
// ends an epoch and a validation with a few dozen more. That takes as long as Python takes for it, whatever
// the model does: it depends on the number of batches, not on their size. A profiler stands in the same
// places: the simple one takes the time of each hook, PyTorch's records every operator.
//
// When it does not matter: here, if the row shows milliseconds, for an epoch had only nine batches. It does
// where a step takes a millisecond and an epoch has ten thousand of them.
//
// A row measures nine batches of a model that takes next to nothing, in one Python process on the CPU: the
// first side in Lightning, up to the moment at which the next epoch would begin, the second by a plain loop.
// Beside it stands the difference as a share of the published epochs. It needs Python with torch and
// Lightning on PATH.
//
// Answer: Milliseconds of each epoch: nine batches have a few hundred hook calls in Python. That is a small
// part of 21 s and of 2 s; the figure beside the row is the share.

#include "harness/core/median.hpp"
#include "harness/core/step.hpp"
#include "harness/libtorch/python_training.hpp"

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_lightning_hooks {

using namespace harness;

constexpr Axis axes[] = {
    {.name = "part",
     .about = "hooks: Lightning's loop without logger, progress bar and checkpoints; simple_profiler, "
              "pytorch_profiler: the same under one of its profilers",
     .quick = {0},
     .labels = {"hooks", "simple_profiler", "pytorch_profiler"}}};
constexpr std::string_view profilers[] = {"", "simple", "pytorch"};
constexpr double published_before = 21, published_after = 2;  // s/epoch

using Shared = std::shared_ptr<PythonTraining>;

Shared training(const Setup& setup, std::int64_t part) {
  return std::make_shared<PythonTraining>(
      PythonPlan{.batches = 7,
                 .validation_batches = 2,
                 .profiler = std::string(profilers[static_cast<std::size_t>(part)]),
                 .threads = setup.threads,
                 .seed = setup.seed});
}

double seconds_of(const std::function<void()>& epoch) {
  constexpr int tries = 5;
  std::vector<double> seconds;
  for (int i = 0; i < tries; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    epoch();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return median(std::move(seconds));
}

std::vector<Figure> figures(PythonTraining& training) {
  const auto in_lightning = seconds_of([&] { training.epoch_in_lightning(); });
  const auto plain = seconds_of([&] { training.plain_epoch(); });
  return {
      {"of the published 21 s", "%", 100 * in_lightning / published_before, 100 * plain / published_before},
      {"of the published 2 s", "%", 100 * in_lightning / published_after, 100 * plain / published_after}};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto key = "stgym/lightning_hooks/" + axes[0].text(point["part"]);
  const auto s = *setup.shared<Shared>(key, [&] { return training(setup, point["part"]); });
  return {
      .naive = [s] { s->epoch_in_lightning(); },
      .optimized = [s] { s->plain_epoch(); },
      .clear = [s] { s->restart(); },
      .answer = [s](Form) -> Answer { return s->losses(); },
      .figures = [s] { return figures(*s); },
  };
}

extern constexpr Step step = checked({
    .id = "stgym/lightning_hooks",
    .claim = "Nine batches of next to no work take longer in Lightning than in a plain loop.",
    .source = stgym::post("the first measurement"),
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "a part of 21 s/epoch (A30)",
                    .on_cpu = Outcome::helps},
    .row_seconds = 120,
    .suite = Suite::named,
});

}  // namespace workloads::stgym_lightning_hooks
