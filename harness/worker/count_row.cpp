#include "harness/core/counts.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/run/evidence_text.hpp"
#include "harness/worker/measure_row.hpp"

namespace harness::worker {
namespace {

constexpr int runs_before = 2;  // allocators have then what they keep

TwoTakes takes_of(const Trial& trial, Form form, InstructionCount& instructions) {
  const auto& run = form == Form::naive ? trial.naive : trial.optimized;
  const auto before = [&] {
    if (trial.before_slot) trial.before_slot(form);
  };
  const auto take = [&] {
    before();
    return static_cast<double>(instructions.of(run));
  };
  trial.clear();
  before();
  for (int i = 0; i < runs_before; ++i) run();
  const auto one = take();
  return {one, take()};
}

}  // namespace

void count_into(results::Row& row, const run::StepAt& found, Bench& bench, InstructionCount& instructions,
                const Plant& plant) {
  row.stage = "setup";
  bench.setup.device = found.device;
  const auto trial = planted(found.step->prepare(bench.setup, found.point), plant, busy_slowdown());
  row.stage = "measure";
  const auto naive = takes_of(trial, Form::naive, instructions);
  const auto optimized = takes_of(trial, Form::optimized, instructions);
  const auto figure = instructions_of(naive, optimized);
  if (!figure) throw Skip(run::why_not_counted(naive, optimized));
  row.measured.figures.push_back(*figure);
  row.stage.clear();
}

}  // namespace harness::worker
