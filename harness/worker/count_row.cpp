#include "harness/core/counts.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/worker/measure_row.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>

namespace harness::worker {
namespace {

constexpr int runs_before = 2;   // allocators have then what they keep
constexpr double agree = 0.001;  // of the count: how far two takes may lie apart

/// Of a run of the form; nothing where two takes do not agree. The smaller one: what came on top is a
/// library's, which does some things only now and then.
std::optional<std::int64_t> count_form(const Trial& trial, Form form, InstructionCount& instructions) {
  const auto& run = form == Form::naive ? trial.naive : trial.optimized;
  const auto before = [&] {
    if (trial.before_slot) trial.before_slot(form);
  };
  trial.clear();
  before();
  for (int i = 0; i < runs_before; ++i) run();
  before();
  const auto one = instructions.of(run);
  before();
  const auto other = instructions.of(run);
  if (static_cast<double>(std::abs(one - other)) > agree * static_cast<double>(one)) return std::nullopt;
  return std::min(one, other);
}

}  // namespace

void count_into(results::Row& row, const run::StepAt& found, Bench& bench, InstructionCount& instructions,
                const Plant& plant) {
  row.stage = "setup";
  bench.setup.device = found.device;
  const auto trial = planted(found.step->prepare(bench.setup, found.point), plant, busy_slowdown());
  row.stage = "measure";
  const auto naive = count_form(trial, Form::naive, instructions);
  const auto optimized = count_form(trial, Form::optimized, instructions);
  if (!naive || !optimized) throw Skip("two counts of one form differ by more than 0.1 %");
  row.measured.figures.push_back({"instructions", std::string(instructions_unit), static_cast<double>(*naive),
                                  static_cast<double>(*optimized)});
  row.stage.clear();
}

}  // namespace harness::worker
