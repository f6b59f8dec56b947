// Let a thread of its own write what a training logs.
//
// Question: Every tenth of 200 steps logs five numbers for TensorBoard. What does the loop pay if another
// thread writes them?
//
// The loop hands over the numbers and goes on: a lock, and a place in a queue, which takes a microsecond or
// so. A thread of the log's makes records of them, with two checksums each, and writes them. It also asks for
// the loss, so where a device still computes it, that thread waits and not the loop. This is what `--log
// FOLDER` does while a workload trains.
//
// When it does not matter: nearly always, as long as the loop itself asks for no value; that is what the row
// shows. What it costs: a core for a moment. Where every step of half a millisecond logs, that moment shows
// if all cores are busy.
//
// A row measures 200 steps of a small training: the first side logs, the second does not.
//
// Answer: A hand-over: a lock and a place in a queue, about a microsecond for each of 20 x 5 numbers. Making
// and writing the records is the other thread's time, so the loop should be the same within the margin.

#include "harness/results/event_records.hpp"
#include "harness/support/scratch_folder.hpp"

#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_scalar_log {

constexpr Axis axes[] = {
    {.name = "every", .about = "steps between two that are logged", .values = {10, 1}, .quick = {10}}};
constexpr int steps = 200;

struct State {
  State(const Setup& setup, std::int64_t width) : training(setup, width), log(folder.path()) {}

  /// The loss is asked for by the log's thread.
  void note(int step) {
    log.put(step, {{"loss", [seen = loss] { return seen.item<double>(); }},
                   {"accuracy", [] { return 0.5; }},
                   {"samples_per_second", [step] { return 1. * step; }},
                   {"waiting_share", [] { return 0.1; }},
                   {"memory_mib", [] { return 100.; }}});
  }
  void train(std::int64_t every) {
    training.restart();
    for (int i = 0; i < steps; ++i) {
      loss = training.step();
      if (every > 0 && i % every == 0) note(i);
    }
  }

  SmallTraining training;
  harness::ScratchFolder folder{harness::temporary_folder()};
  results::ScalarLog log;
  at::Tensor loss;
};

Trial prepare(Setup& setup, const Point& point) {
  constexpr std::int64_t width = 128, none = 0;
  const auto s = std::make_shared<State>(setup, width);
  return {
      .naive = [s, every = point["every"]] { s->train(every); },
      .optimized = [s] { s->train(none); },
      .clear = [s] { s->loss = at::full({1}, -1.0F); },
      .answer = [s](Form) { return numbers_of(s->loss); },
  };
}

extern constexpr Step step = checked({
    .id = "loop/scalar_log",
    .claim =
        "A loop that logs every tenth step through another thread takes as long as one that logs nothing.",
    .sides = {"logs", "does not log"},
    .source = {.title = "PyTorch, torch.utils.tensorboard",
               .url = "https://docs.pytorch.org/docs/stable/tensorboard.html",
               .where = "SummaryWriter: updates the file contents asynchronously"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "without slowing down training",
                    .on_cpu = Outcome::no_effect,
                    .about = "every:10"},
});

}  // namespace microbench::loop_scalar_log
