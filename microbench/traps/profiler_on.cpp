// Switch the profiler off for the times that you quote.
//
// Question: 200 additions of 1024 values are timed while PyTorch's profiler records. How much longer do they
// seem to take?
//
// A profiler notes each operator's name, shapes, start and end, on the host and while the program runs. That
// is the same price for each operator, however short it is: on small operators it is most of what is then
// seen. With stacks, memory or shapes it is more. So a profile says where time goes, and not how long the
// program takes; small operators look worse in it than they are. Its first use costs extra.
//
// When it does not matter: with long operators, and on a device whose host is far enough ahead: the device's
// own times hardly change. Recording a few steps of a long run disturbs only these.
//
// A row has both timers read the same additions three times, the wrong one while Kineto records (operators
// and shapes, no stacks). Starting and ending the recording are not timed. The verdict compares the timers:
// `too much` says that the wrong one reads more.
//
// Answer: About twice as long, since recording an operator takes about as long as an operator of 1,024
// values does: 144 instead of 69 us on two cores of an EPYC (commit 03cee4c). Stacks cost more; long
// operators hardly notice.

#include "harness/libtorch/kineto.hpp"

#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_profiler_on {

constexpr std::int64_t values = 1024;
constexpr int additions = 200;

struct State {
  explicit State(const Device& on)
      : device(on),
        start(at::arange(values, at::TensorOptions().device(torch_device(on)).dtype(at::kFloat))
                  .remainder_(17)),
        out(at::zeros_like(start)) {}
  void add() {
    out.copy_(start);
    for (int i = 0; i < additions; ++i) out.add_(start);
  }
  double time() {
    finish(device);
    return host_seconds([&] { add(), finish(device); });
  }
  double time_recorded() {
    Kineto kineto(device);
    kineto.start();
    return typical([&] { return time(); }, 3);  // the recording goes with its owner
  }
  Device device;
  at::Tensor start, out;
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup.device);
  return timer_trial(
      {[s] { return s->time_recorded(); }, [s] { return typical([&] { return s->time(); }, 3); }},
      [s] { s->out.fill_(-1); }, [s](Form) -> Answer { return numbers_of(s->out); });
}

extern constexpr Step step = checked({
    .id = "traps/profiler_on",
    .claim = "A clock that runs while the profiler records reads too high for small operators.",
    .claim_ids = "diag-profiler-overhead",
    .sides = timer_sides,
    .source = {.title = "PyTorch Profiler recipe",
               .url = "https://docs.pytorch.org/tutorials/recipes/recipes/profiler_recipe.html",
               .where = "profiler overhead"},
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = timers_differ, .on_cpu = Outcome::helps},
});

}  // namespace microbench::traps_profiler_on
