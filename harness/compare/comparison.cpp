#include "harness/compare/comparison.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

namespace harness::compare {
namespace {

using Index = std::map<std::string_view, const RunRow*>;

Index index_of(const RunFile& run) {
  Index index;
  for (const auto& row : run.rows) index[row.name] = &row;
  return index;
}

bool is_treatment(const std::string& field, Across across) {
  switch (across) {
    case Across::driver:
      return field == "software.driver" || field == "software.cuda_driver";
    case Across::libtorch:
      return field == "software.libtorch";
    case Across::cuda:
      return field == "software.cuda_runtime";
    default:
      return false;
  }
}

std::string_view text_of(Across across) {
  return across == Across::driver ? "the driver" : across == Across::libtorch ? "LibTorch" : "CUDA";
}

void compare_fingerprints(const RunFile& base, const RunFile& current, Across across, Comparison& result) {
  bool treated = false;
  for (auto& difference : results::differences(base.fingerprint.hard, current.fingerprint.hard))
    if (is_treatment(difference.field, across)) {
      treated = true;
      result.warnings.push_back(
          fmt::format("the treatment: {} {} -> {}", difference.field, difference.base, difference.current));
    } else {
      result.differences.push_back(std::move(difference));
    }
  if (across != Across::nothing && !treated)
    result.warnings.push_back(fmt::format("--across: {} is the same in both files", text_of(across)));
  for (auto& difference : settings_differences(base, current))
    result.differences.push_back(std::move(difference));
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.soft, current.fingerprint.soft))
    result.warnings.push_back(fmt::format("{} differs: {} -> {}", field, before, after));
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.info, current.fingerprint.info))
    if (field == "gpu_uuid" && before != "none" && after != "none")
      result.warnings.push_back("another GPU of the same kind (its UUID differs)");
}

/// The control: where both forms moved and their ratio did not, the step's own change is not what is seen.
bool both_moved(const ComparedRow& row) {
  const auto claimed = [](const Change& change) {
    return change.verdict == Verdict::helps || change.verdict == Verdict::hurts;
  };
  return claimed(*row.optimized) && row.naive->verdict == row.optimized->verdict &&
         row.speed_up->verdict == Verdict::no_effect;
}

std::string why_not_measured(const RunRow& base, const RunRow& current) {
  const auto& row = base.measured() ? current : base;
  return fmt::format("{} in {}: {}", to_string(row.verdict), base.measured() ? "NEW" : "BASE", row.reason);
}

void judge_times(const RunRow& base, const RunRow& current, const Rule& rule, ComparedRow& row) {
  row.naive = change_of(base.naive, current.naive, rule);
  row.optimized = change_of(base.optimized, current.optimized, rule);
  row.speed_up = change_of(base.log_ratios, current.log_ratios, rule);
  row.verdict = row.optimized->verdict;
  if (!row.optimized->ratio_interval)
    row.note = fmt::format("an interval takes {} units in each file", units_for_change(rule.alpha));
  if (both_moved(row)) row.note = "both forms moved alike: the machine, or code that they share";
}

ComparedRow compare_rows(const RunRow& base, const RunRow& current, double alpha, bool counts) {
  ComparedRow row;
  row.name = current.name;
  row.step = current.step;
  row.delta = current.delta;
  row.base_seconds = base.optimized_seconds;
  row.seconds = current.optimized_seconds;
  row.failed = current.verdict == Verdict::failed;
  if (counts) row.increases = count_increases(base.figures, current.figures);
  if (!base.measured() || !current.measured()) {
    row.verdict = base.verdict == current.verdict ? current.verdict : Verdict::invalid;
    row.note = why_not_measured(base, current);
    return row;
  }
  row.vanished = vanished_counts(base.figures, current.figures);
  const bool timed = !base.naive.empty() && !base.optimized.empty() && !base.log_ratios.empty() &&
                     !current.naive.empty() && !current.optimized.empty() && !current.log_ratios.empty();
  if (base.event != current.event) {
    row.verdict = Verdict::invalid;
    row.note = "timed by different clocks";
  } else if (!timed) {
    row.note = "a file has no timed unit of it";
  } else {
    judge_times(base, current, {.alpha = alpha, .delta = current.delta}, row);
  }
  return row;
}

bool is_count(const Figure& figure) {
  const auto whole = [](double value) { return value >= 0 && std::floor(value) == value; };
  return (figure.unit == "calls" || figure.unit == "B") && whole(figure.naive) && whole(figure.optimized);
}

}  // namespace

std::vector<results::Difference> settings_differences(const RunFile& base, const RunFile& current) {
  std::vector<results::Difference> all;
  auto names = base.settings;
  names.insert(current.settings.begin(), current.settings.end());
  const auto value = [](const RunFile& run, const std::string& name) {
    const auto found = run.settings.find(name);
    return found == run.settings.end() ? std::string("not given") : found->second;
  };
  for (const auto& [name, ignored] : names)
    if (value(base, name) != value(current, name))
      all.push_back({name, value(base, name), value(current, name)});
  return all;
}

std::vector<CountIncrease> count_increases(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current) {
  std::vector<CountIncrease> increases;
  for (const auto& after : current) {
    const auto before = std::ranges::find(base, after.name, &Figure::name);
    if (before == base.end() || before->unit != after.unit || !is_count(*before) || !is_count(after))
      continue;
    if (after.naive > before->naive)
      increases.push_back({after.name, "naive", after.unit, before->naive, after.naive});
    if (after.optimized > before->optimized)
      increases.push_back({after.name, "optimized", after.unit, before->optimized, after.optimized});
  }
  return increases;
}

std::vector<std::string> vanished_counts(const std::vector<Figure>& base,
                                         const std::vector<Figure>& current) {
  std::vector<std::string> names;
  for (const auto& before : base)
    if (is_count(before) && std::ranges::find(current, before.name, &Figure::name) == current.end())
      names.push_back(before.name);
  return names;
}

Comparison compare_runs(const RunFile& base, const RunFile& current, const CompareRules& rules) {
  Comparison result{.base = base.file, .current = current.file};
  compare_fingerprints(base, current, rules.across, result);
  const auto before = index_of(base);
  const auto after = index_of(current);
  for (const auto& row : base.rows)
    if (!after.contains(row.name)) result.missing.push_back(row.name);
  for (const auto& row : current.rows)
    if (!before.contains(row.name)) result.added.push_back(row.name);
  if (refused(result, rules)) return result;
  // Made data follow from the seed, and with them the bytes that a step copies.
  const bool same_data = base.data_seed == current.data_seed;
  if (!same_data)
    result.warnings.push_back(fmt::format(
        "counts are not compared, since the seeds of their data differ ({} and {}): run both with the same "
        "--seed, or both without",
        base.data_seed, current.data_seed));
  for (const auto& row : current.rows) {
    const auto found = before.find(row.name);
    if (found == before.end()) continue;
    result.rows.push_back(compare_rows(*found->second, row, current.alpha, same_data));
    auto& compared = result.rows.back();
    if (result.differences.empty() || !compared.optimized) continue;
    compared.verdict = Verdict::inconclusive;
    compared.note = "environment";
  }
  return result;
}

bool refused(const Comparison& comparison, const CompareRules& rules) {
  return !comparison.differences.empty() && !rules.allow_mismatch;
}

}  // namespace harness::compare
