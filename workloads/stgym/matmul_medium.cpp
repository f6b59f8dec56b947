// Let float32 products use a shorter mantissa.
//
// Question: TF32 is several times faster in a product. What share of this step are dense products, and what
// can it gain at most?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Precision "medium" lets a GPU multiply float32 matrices on its tensor cores in TF32, and a CPU that can do
// so in BF16. The sums stay in float32. The base of this ladder runs at "highest", so that the setting is a
// rung; the published code had it at "medium" from the start.
//
// When it does not matter: where dense products are a small part of the step, by Amdahl's law, or where the
// device has no units for the shorter format. It changes the arithmetic, so it is a branch: no other rung
// builds on it.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`). `fused` is the
// change on top of every kept rung but rows_in_place, whose products are kernels of ours that know one
// precision. The losses may differ by what the shorter mantissa drops, and are held to a tolerance.
//
// Answer: At most the share of the dense products, by Amdahl's law. Low on the ladder that is little (on the
// H200 here, commit 8d18999, -1.4 %, not decided); on top of every fused rung products are what is left, and
// the same change took 22 % off the step.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_matmul_medium {

using namespace harness;

constexpr Tolerance shorter_mantissa{
    .relative = 0.05,
    .why =
        "TF32 keeps 11 significant bits and BF16, on CPUs that multiply in it, 8; training carries the "
        "difference from step to step"};

enum Base : std::int64_t { below, naive, fused };
constexpr Axis axes[] = {{.name = "against",
                          .about = "below: the kept rungs below this one; naive: the first published "
                                   "version; fused: every kept rung but "
                                   "rows_in_place",
                          .quick = {below},
                          .full = {below, fused},
                          .labels = {"below", "naive", "fused"}},
                         stgym::unit_axis(stgym::step_and_epoch, stgym::only_step)};

Trial prepare(Setup& setup, const Point& point) {
  if (point["against"] != fused) return stgym::rung_trial(setup, point, &stgym::Switches::matmul_medium);
  const auto form = stgym::below(&stgym::Switches::rows_in_place);
  auto medium = form;
  medium.matmul_medium = true;
  return stgym::forms_trial(setup,
                            {.naive = form, .optimized = medium, .unit = stgym::TimedUnit{point["unit"]}});
}

extern constexpr Step step = checked({
    .id = "stgym/matmul_medium",
    .claim = "Matmul precision \"medium\" instead of \"highest\" shortens a training step.",
    .claim_ids = "prec-matmul-medium-gnn",
    .source = stgym::post("what did not work, 2"),
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::no_effect,
                    .published = "no significant improvement (A30)",
                    .about = "against:below"},
    .tolerance = shorter_mantissa,
    .row_seconds = 11,
    .other_costs = stgym::epoch_costs,
    .suite = Suite::quick,
});

}  // namespace workloads::stgym_matmul_medium
