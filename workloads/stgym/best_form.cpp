// The first published version against the best form here: every kept rung, the published ones and ours.
//
// Question: How far can this training go on your machine? Most published rungs save copies and waits, which a
// CPU does not have. What is left?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// Rungs beyond the published end do less work: the graph is built once, features meet the first weight
// before they are aggregated, the pooling layer never makes its assignment, Adam's step is one operator. On
// a CPU they gain more than the published ones; on a GPU they also launch fewer kernels.
//
// When it does not matter: the factor belongs to this model and these data. Gains do not add up, so no rung's
// own row tells its part of it; `run 'stgym/*' --leave-one-out` takes each change away from the best form.
//
// Answer: On a CPU the rungs beyond the published ones are left: less work, from a graph that is built once
// to a pooling layer that never writes its assignment. On the H200 here (commit 8d18999) all together took a
// step from 128 to 3.01 ms.

#include "workloads/stgym/measure/graph_trial.hpp"

namespace workloads::stgym_best_form {

using namespace harness;

Trial prepare(Setup& setup, const Point& point) {
  return stgym::forms_trial(
      setup, {.naive = {}, .optimized = stgym::all_kept(), .unit = stgym::TimedUnit{point["unit"]}});
}

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/best_form",
    .claim = "All kept changes together, ours too, shorten STGym's training several times.",
    .source = stgym::post("the naive form; the rungs beyond the published end are ours"),
    .axes = stgym::our_axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .on_cpu = Outcome::helps},
    .tolerance = {.relative = 1e-4,
                  .why = "some changes add up in another order, and training carries the difference on"},
}));

}  // namespace workloads::stgym_best_form
