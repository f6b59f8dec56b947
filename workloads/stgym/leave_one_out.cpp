// What each kept change gains at the two ends of the ladder: taken from the best form, and alone in naive.
//
// Question: Which change gains most alone, but nothing in the best form?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// A ladder measures each change against the rungs below it, so its rows depend on the order of the rungs, and
// gains do not add up. A change that gains much alone may gain nothing once another has removed the same cost
// (single_tail, once the whole layer is rewritten). One that seems to do nothing low on the ladder may be all
// that is left to gain at its top. `from:best` compares the best form without the change to the best form;
// `from:naive` compares the naive form to the naive form with the change.
//
// When it does not matter: where changes have nothing in common; then all three figures of a change agree in
// seconds, though not in percent.
//
// `tuneproof run 'stgym/*' --leave-one-out` measures the ladder and these rows, and prints them side by side.
//
// Promise: the same numbers to the tolerance of the rungs that add up in another order.
//
// Answer: One whose cost another change removes too: single_tail, for instance, once the whole pooling layer
// is rewritten. Look for rows with a large `from:naive` and a `from:best` near nothing.

#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::stgym_leave_one_out {

using namespace harness;
using stgym::Switches;

constexpr std::vector<stgym::Rung> kept_rungs() {
  std::vector<stgym::Rung> kept;
  for (const auto& rung : stgym::ladder)
    if (rung.kept) kept.push_back(rung);
  return kept;
}

using training::From;
constexpr Axis axes[] = {training::switch_axis(kept_rungs()), training::from_axis};

constexpr Tolerance other_order{
    .relative = 1e-4, .why = "some changes add up in another order, and training carries the difference on"};

Trial prepare(Setup& setup, const Point& point) {
  const auto rung = kept_rungs().at(static_cast<std::size_t>(point["switch"]));
  stgym::require_change(setup, rung.change);
  if (rung.name == "rows_in_place" && From{point["from"]} == From::naive)
    throw Skip("the change stands on the rungs below it");
  const bool from_best = From{point["from"]} == From::best;
  const auto end = from_best ? stgym::all_kept() : Switches{};
  auto other = end;
  other.*rung.change = !from_best;
  // delayed_cpu changes evaluation only.
  const auto unit = rung.name == "delayed_cpu" ? stgym::TimedUnit::eval : stgym::TimedUnit::step;
  return stgym::forms_trial(
      setup, {.naive = from_best ? other : end, .optimized = from_best ? end : other, .unit = unit});
}

extern constexpr Step step = checked({
    .id = "stgym/leave_one_out",
    .claim = "A change brings something in the best form, and something alone.",
    .source = stgym::post("the order of its changes"),
    .runs = Runs::session,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::depends, .published = "no figure"},
    .tolerance = other_order,
    .cuda_tolerance = stgym::on_cuda,
    .row_seconds = 11,
    .suite = Suite::named,
});

}  // namespace workloads::stgym_leave_one_out
