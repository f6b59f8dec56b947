#include "harness/core/plant.hpp"

#include <chrono>
#include <utility>

namespace harness::inline core {
namespace {

std::function<void()> slowed(std::function<void()> run, double share, const Slowdown& slowdown) {
  if (share <= 0) return run;
  return [run = std::move(run), share, slowdown] {
    slowdown.begin();
    run();
    slowdown.end(share);
  };
}

std::function<void(Form)> always(Form form, std::function<void(Form)> act) {
  if (!act) return act;
  return [form, act = std::move(act)](Form) { act(form); };
}

/// Whatever the form is called, it is the naive one, or the one that is right where the naive one may not be;
/// `clear` and the buffers are the set's own and stay.
void make_forms_the_same(Trial& trial) {
  const auto form = trial.truth ? Form::optimized : Form::naive;
  trial.truth ? trial.naive = trial.optimized : trial.optimized = trial.naive;
  trial.before_slot = always(form, std::move(trial.before_slot));
  trial.warm_up = always(form, std::move(trial.warm_up));
  trial.answer = [form, answer = std::move(trial.answer)](Form) { return answer(form); };
  trial.figures = {};  // they would tell the two forms apart
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Slowdown busy_slowdown(std::function<void()> wait, const SecondsNow& now) {
  const auto begun = std::make_shared<double>(0);
  return {.begin = [begun, now] { *begun = now(); },
          .end =
              [begun, now, wait = std::move(wait)](double share) {
                if (wait) wait();
                const auto ended = now();
                const auto until = ended + share * (ended - *begun);
                while (now() < until) continue;
              }};
}

Trial planted(Trial trial, const Plant& plant, const Slowdown& slowdown) {
  if (plant.same_forms) make_forms_the_same(trial);
  if (trial.whole_slot && (plant.slow_naive > 0 || plant.slow_optimized > 0))
    throw Skip("cannot slow a pipelined form: its work continues meanwhile");
  trial.naive = slowed(std::move(trial.naive), plant.slow_naive, slowdown);
  trial.optimized = slowed(std::move(trial.optimized), plant.slow_optimized, slowdown);
  return trial;
}

}  // namespace harness::inline core
