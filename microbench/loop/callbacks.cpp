// Call ten empty hooks in each step, or none.
//
// Question: Frameworks call a chain of callbacks before and after everything. Ten of them that do nothing:
// what do they cost a step of half a millisecond?
//
// A hook is a call through a pointer, with a copy of its arguments: batch, loss, number. In C++ that takes
// tens of nanoseconds, so a chain of ten at four places in a step takes a microsecond or two. What makes
// hooks expensive is what is in them: a log that reads a value, a progress bar, a check of all gradients. In
// Python a call takes longer: one of ours takes 0.19 us (docs/watch.md, commit be95651).
//
// When it does not matter: nearly always, as long as the hooks are empty; that is what the row shows.
//
// A row measures 50 steps with a chain of ten hooks at the begin and end of a step and of its backward pass,
// against the plain loop.
//
// Answer: A microsecond or two: forty calls of tens of nanoseconds, less than half a percent of the step.
// Forty Python calls of 0.19 us (docs/watch.md) are 8 us, and can be seen.

#include "microbench/loop/small_training.hpp"
#include "microbench/tip.hpp"

namespace microbench::loop_callbacks {

constexpr Axis axes[] = {
    {.name = "hooks", .about = "at each of four places", .values = {10, 1000}, .quick = {10}}};
constexpr int steps = 50;
constexpr int places = 4;

/// The arguments of a hook.
struct Event {
  int step;
  at::Tensor loss;
};
using Hook = std::function<void(const Event&)>;

struct State {
  State(const Setup& setup, std::int64_t count) : training(setup, 64) {
    for (std::int64_t i = 0; i < count; ++i)
      hooks.push_back([this](const Event& event) { last = event.step; });
  }

  void train(bool with_hooks) {
    training.restart();
    for (int i = 0; i < steps; ++i) {
      loss = training.step();
      for (int place = 0; with_hooks && place < places; ++place)
        for (const auto& hook : hooks) hook({i, loss});
    }
  }

  SmallTraining training;
  std::vector<Hook> hooks;
  at::Tensor loss;
  int last = 0;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<State>(setup, point["hooks"]);
  return {
      .naive = [s] { s->train(true); },
      .optimized = [s] { s->train(false); },
      .clear = [s] { s->loss = at::full({1}, -1.0F); },
      .answer = [s](Form) { return numbers_of(s->loss); },
  };
}

extern constexpr Step step = checked({
    .id = "loop/callbacks",
    .claim = "A loop without its chain of empty callbacks is no faster.",
    .sides = {"ten hooks", "none"},
    .source = {.title = "PyTorch Lightning, Callback",
               .url = "https://lightning.ai/docs/pytorch/stable/extensions/callbacks.html",
               .where = "Callback hooks"},
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "no figure",
                    .on_cpu = Outcome::no_effect,
                    .about = "hooks:10"},
});

}  // namespace microbench::loop_callbacks
