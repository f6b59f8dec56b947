#include "harness/compare/gbench.hpp"

#include "harness/compare/gbench_file.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/median.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

namespace harness::compare {
namespace {

/// Of the memory manager: bytes and calls, of which less is better.
bool is_memory(std::string_view name) {
  constexpr std::array<std::string_view, 4> names{"allocs_per_iter", "max_bytes_used",
                                                  "total_allocated_bytes", "net_heap_growth"};
  return std::ranges::find(names, name) != names.end();
}

bool are_equal(const std::vector<double>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to()) == values.end();
}

/// Values that do not scatter at all are exact; of others the medians are compared as times are.
Change change_of_values(const std::vector<double>& base, const std::vector<double>& current,
                        const Rule& rule) {
  const auto before = median(base), after = median(current);
  const bool exact = are_equal(base) && are_equal(current);
  if (exact && before == after) return {.verdict = Verdict::no_effect};
  if (std::ranges::min(base) <= 0 || std::ranges::min(current) <= 0)  // no ratio
    return {.verdict = !exact ? Verdict::inconclusive : after > before ? Verdict::hurts : Verdict::helps};
  if (exact) {
    const auto moved = std::log(after / before);
    return {.verdict = judge_interval({moved, moved}, rule.delta), .ratio = after / before};
  }
  std::vector<double> logs[2];
  for (const auto value : base) logs[0].push_back(std::log(value));
  for (const auto value : current) logs[1].push_back(std::log(value));
  return change_of(logs[0], logs[1], rule);
}

/// More time is worse, and a lower rate; of a counter nobody knows, so that any change counts.
bool is_worse(std::string_view name, Verdict verdict) {
  if (name == cpu_time_name || is_memory(name)) return verdict == Verdict::hurts;
  if (name.ends_with("_per_second")) return verdict == Verdict::helps;
  return verdict == Verdict::hurts || verdict == Verdict::helps;
}

void compare_figures(const Repetitions& base, const Repetitions& current, const Rule& rule,
                     ComparedRow& row) {
  for (const auto& [name, before] : base.figures) {
    const auto found = current.figures.find(name);
    if (found == current.figures.end()) {
      row.vanished.push_back(name);
      continue;
    }
    ComparedFigure figure{.name = name,
                          .unit = name == cpu_time_name ? "s" : "",
                          .base = median(before),
                          .current = median(found->second),
                          .change = change_of_values(before, found->second, rule)};
    if (is_memory(name) && counts_more(instructions_unit, figure.base, figure.current)) {
      row.increases.push_back({name, "", "", figure.base, figure.current});
      continue;
    }
    figure.worse = is_worse(name, figure.change.verdict);
    row.figures.push_back(std::move(figure));
  }
}

ComparedRow compare_benchmark(const Repetitions& base, const Repetitions& current, const Rule& rule) {
  ComparedRow row;
  row.delta = rule.delta;
  row.row_seconds = current.seconds;
  const auto& error = base.error.empty() ? current.error : base.error;
  if (!error.empty() || base.logs.empty() || current.logs.empty()) {
    const bool both = !base.error.empty() && !current.error.empty();
    row.verdict = Verdict::failed;
    row.note = fmt::format("failed in {}: {}",
                           both                 ? "BASE and NEW"
                           : base.error.empty() ? "NEW"
                                                : "BASE",
                           error.substr(0, 200));
    return row;
  }
  row.optimized = change_of(base.logs, current.logs, rule);
  row.base_seconds = std::exp(median(base.logs));
  row.seconds = row.base_seconds * row.optimized->ratio;
  row.verdict = row.optimized->verdict;
  compare_figures(base, current, rule, row);
  if (!row.optimized->ratio_interval)
    row.note = fmt::format("an interval needs {} repetitions in each file, but these have {} and {}",
                           units_for_change(rule.alpha), base.logs.size(), current.logs.size());
  return row;
}

/// Another machine, or another build of the library, is refused as in files of ours.
void compare_contexts(const GbenchFile& base, const GbenchFile& current, const std::vector<Across>& across,
                      Comparison& result) {
  std::vector<results::Difference> hard;
  for (const auto& [name, value] : base.context) {
    const auto other = current.context.find(name);
    if (other == current.context.end() || other->second == value) continue;
    if (name == "cpu_scaling_enabled")
      result.warnings.push_back(fmt::format("{} differs: {} -> {}", name, value, other->second));
    else
      hard.push_back({"context." + name, value, other->second});
  }
  add_differences(std::move(hard), across, result);
  for (const auto* file : {&base, &current})
    if (const auto type = file->context.find("library_build_type");
        type != file->context.end() && type->second == "\"debug\"")
      result.warnings.push_back(file->file + ": Google Benchmark itself is a debug build");
}

}  // namespace

Comparison compare_gbench(const Field& base_root, const Field& current_root, const Rule& rule,
                          const CompareRules& rules, results::StandIn stand_in) {
  const auto base = read_gbench(base_root, stand_in);
  const auto current = read_gbench(current_root, stand_in);
  Comparison result{.base = base.file, .current = current.file, .benchmarks = true};
  compare_contexts(base, current, rules.across, result);
  for (const auto& name : base.order)
    if (!current.benchmarks.contains(name)) result.missing.push_back(name);
  for (const auto& name : current.order)
    if (!base.benchmarks.contains(name)) result.added.push_back(name);
  for (const auto& name : current.order) {
    const auto before = base.benchmarks.find(name);
    if (before == base.benchmarks.end() || refused(result, rules)) continue;
    auto row = compare_benchmark(before->second, current.benchmarks.at(name), rule);
    row.name = name;
    row.step = name.substr(0, name.find('/'));
    if (!result.differences.empty() && row.optimized) without_verdict(row);
    result.rows.push_back(std::move(row));
  }
  clean(result);
  return result;
}

}  // namespace harness::compare
