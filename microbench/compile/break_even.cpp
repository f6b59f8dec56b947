// Compile only what runs often enough to pay for the compiler.
//
// Question: Compiling took 28 s on two cores of an EPYC (commit 03cee4c); it saves a part of each step. After
// how many steps of a small transformer has it paid for itself: a hundred, ten thousand, a million?
//
// Compiling takes time once and saves time in each step. Half a minute is 30 million microseconds: a step
// that becomes 300 us shorter must run a hundred thousand times to save as much. Long training runs have so
// many steps. A test run, a notebook cell or a search over many shapes has not.
//
// When it does not matter: where packages are kept, as here, and the same shapes come back tomorrow: the
// second run of this program does not pay again. When it hurts: in long training runs, where a compiled step
// saves more than compiling took. Where shapes change, each costs a package; `compile/dynamic_shapes`
// measures the way out.
//
// A row compares seconds for so many steps: by compiling first, and by operators one by one. The seconds are
// those of a step, measured in each round by the median of some, times the number of steps; compiling counts
// with the seconds that it took when the package was made. Beside them stands the number of steps after which
// compiling has paid, or 0 where it never does. It is the training step of `compile/small_model`.
//
// The function in Python: microbench/compile/transformer.cpp
//
// Answer: Divide the compiler's seconds by the time saved in a step. On those two cores a
// step took 1.15 ms instead of 1.62 (commit 03cee4c): about sixty thousand steps. The row prints your own
// number, or 0 where the compiled step is not faster.

#include "microbench/compile/run_seconds.hpp"
#include "microbench/compile/transformer.hpp"
#include "microbench/tip.hpp"

namespace microbench::compile_break_even {

constexpr std::int64_t few = 100;
constexpr Axis axes[] = {
    {.name = "steps", .about = "steps of the training", .values = {few, 10'000, 1'000'000}, .quick = {few}}};
constexpr std::int64_t batch = 4;

std::vector<Figure> totals(Transformer& model, const Device& device, double steps) {
  const auto eager = run_seconds(device, [&] { model.train_eagerly(); });
  const auto compiled = run_seconds(device, [&] { model.train_compiled(); });
  const auto saved = eager - compiled;
  return {{"the whole training", "s", model.compile_seconds() + steps * compiled, steps * eager},
          {"steps until compiling has paid", "", saved > 0 ? model.compile_seconds() / saved : 0, 0},
          {"to compile, once", "s", model.compile_seconds(), 0}};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<Transformer>(setup, batch);
  const auto steps = static_cast<double>(point["steps"]);
  return {
      .naive = [s] { s->train_compiled(); },
      .optimized = [s] { s->train_eagerly(); },
      .clear = [s] { s->reset(); },
      .answer = [s](Form) { return s->answer(); },
      .answer_runs = 3,
      .before_slot = [s](Form) { s->reset(); },
      .figures = [s, steps, device = setup.device] { return totals(*s, device, steps); },
      .statistic = Statistic::figure,
  };
}

extern constexpr Step step = checked({
    .id = "compile/break_even",
    .claim = "A short training run ends sooner without the compiler: compiling pays only in long runs.",
    .claim_ids = "fuse-compile",
    .sides = {"compiled", "one by one"},
    .source = {.title = "PyTorch, Introduction to torch.compile",
               .url = "https://docs.pytorch.org/tutorials/intermediate/torch_compile_tutorial.html",
               .where = "Demonstrating Speedups"},
    .axes = axes,
    .prepare = prepare,
    .expectation =
        {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps, .about = "steps:100"},
    .tolerance = {.relative = 1e-4, .why = "fused sums have another order, and three steps carry it on"},
    .cuda_tolerance = {.relative = 1e-3, .why = "fused sums have another order, and three steps carry it on"},
    .package_seconds = 40,
});

}  // namespace microbench::compile_break_even
