#include "harness/results/row_json.hpp"

#include <iterator>

namespace harness::results {
namespace {

/// With the sides that a row of today has, the figure of its source where that names both, and the row of
/// which nothing was expected then, although its source measured that point. A row of before has no sides, or
/// was_naive as its first.
struct Turned {
  std::string_view step, naive, optimized, published = {}, expected = {}, was_naive = {};
};
constexpr Turned turned_steps[] = {
    {"transfer/pin_then_copy", "pinned first", "copied as it is",
     "0.713 -> 0.458 ms (4 MB tensor, hardware not stated); pinning up to twice as slow",
     "transfer/pin_then_copy/bytes:4MiB/cache:warm"},
    {"transfer/pinned_alloc_cost", "pinned", "pageable"},
    {"memory/kern_coalescing", "spread out", "side by side"},
    {"format/unsupported_op", "with it", "without it"},
    {"format/cudnn_benchmark_variable", "benchmark", "heuristics"},
    {"autograd/debug_apis", "watched", "not watched"},
    {.step = "dataload/workers_ready_source",
     .naive = "workers",
     .optimized = "no workers",
     .published = "Self CPU up to 32 s with five workers (A30)",
     .was_naive = "no workers"},
    {.step = "stgym/workers_5",
     .naive = "five workers",
     .optimized = "no workers",
     .published = "CPU time up to 32 s with five workers (A30)",
     .was_naive = "without"},
    {.step = "compile/break_even", .naive = "compiled", .optimized = "one by one", .was_naive = "one by one"},
    {.step = "precision/amp_small_none", .naive = "autocast", .optimized = "FP32", .was_naive = "FP32"},
    {.step = "transfer/staging_buffer",
     .naive = "own staging",
     .optimized = "plain copy",
     .was_naive = "plain copy"},
    {.step = "launch/graph_instantiate_cost",
     .naive = "new graph",
     .optimized = "one by one",
     .was_naive = "one by one"},
};

Form other(Form form) { return form == Form::naive ? Form::optimized : Form::naive; }

void turn(std::optional<Interval>& interval, double (*value)(double)) {
  if (interval) interval = Interval{value(interval->high), value(interval->low)};
}

double inverse(double ratio) { return 1 / ratio; }
double negative(double value) { return -value; }

void turn(Verdict& verdict) {
  if (verdict == Verdict::helps)
    verdict = Verdict::hurts;
  else if (verdict == Verdict::hurts)
    verdict = Verdict::helps;
}

void turn(Measurement& measured) {
  if (measured.optimized_iterations > 0) std::swap(measured.iterations, measured.optimized_iterations);
  for (auto& ratio : measured.log_ratios) ratio = -ratio;
  for (auto& sample : measured.samples) sample.form = other(sample.form);
  for (auto& figure : measured.figures) std::swap(figure.naive, figure.optimized);
}

void turn(Judgement& judged) {
  turn(judged.verdict);
  for (auto& flag : judged.flags)
    if (flag == "leaning faster")
      flag = "leaning slower";
    else if (flag == "leaning slower")
      flag = "leaning faster";
  judged.ratio = 1 / judged.ratio;
  judged.hodges_lehmann = 1 / judged.hodges_lehmann;
  turn(judged.ratio_interval, inverse);
  judged.carry.estimate = -judged.carry.estimate;
  turn(judged.carry.interval, negative);
}

void turn(RowProfile& profile) {
  for (auto& form : profile.forms) form.form = other(form.form);
  for (auto& figure : profile.figures) {
    std::swap(figure.naive, figure.optimized);
    if (figure.published) {
      auto& [before, after, where] = *figure.published;
      const auto old_before = std::exchange(before, after.value_or(0));
      after = old_before > 0 ? std::optional(old_before) : std::nullopt;
    }
  }
}

}  // namespace

void turn_old_row(Row& row) {
  const auto* turned = std::ranges::find(turned_steps, row.step, &Turned::step);
  if (turned == std::end(turned_steps)) return;
  if (row.sides.naive != RowSides{}.naive && row.sides.naive != turned->was_naive) return;
  row.sides = {std::string(turned->naive), std::string(turned->optimized)};
  if (!turned->published.empty()) row.published = turned->published;
  if (row.expected == Outcome::hurts || row.name == turned->expected) row.expected = Outcome::helps;
  turn(row.measured);
  turn(row.judged);
  if (row.cpu) {
    turn(row.cpu->verdict);
    row.cpu->ratio = 1 / row.cpu->ratio;
    turn(row.cpu->ratio_interval, inverse);
  }
  std::swap(row.naive_seconds, row.optimized_seconds);
  if (row.profile) turn(*row.profile);
}

}  // namespace harness::results
