#include "harness/compare/comparison.hpp"

#include "harness/core/counts.hpp"
#include "harness/core/early_look.hpp"
#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace harness::compare {
namespace {

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

void compare_fingerprints(const results::Results& base, const results::Results& current, Across across,
                          Comparison& result) {
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
  for (auto& difference : settings_differences(base.session, current.session))
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

std::string why_not_measured(const results::Row& base, const results::Row& current) {
  const bool newer = !is_error(base);
  const auto& row = newer ? current : base;
  return fmt::format("{} in {}: {}", to_string(row.judged.verdict), newer ? "NEW" : "BASE", row.reason);
}

bool timed(const RowSeries& series) {
  return !series.naive.empty() && !series.optimized.empty() && !series.log_ratios.empty();
}

void judge_times(const RowSeries& base, const RowSeries& current, const Rule& rule, ComparedRow& row) {
  row.naive = change_of(base.naive, current.naive, rule);
  row.optimized = change_of(base.optimized, current.optimized, rule);
  row.speed_up = change_of(base.log_ratios, current.log_ratios, rule);
  row.verdict = row.optimized->verdict;
  if (!row.optimized->ratio_interval)
    row.note = fmt::format("an interval needs {} units in each file", units_for_change(rule.alpha));
  if (both_moved(row))
    row.note = "both forms moved alike, so the cause is the machine or code that they share";
}

ComparedRow compare_rows(const results::Row& base, const results::Row& current, double alpha, bool counts) {
  ComparedRow row;
  row.name = current.name;
  row.step = current.step;
  row.delta = current.delta;
  row.base_seconds = form_seconds(base, Form::optimized);
  row.seconds = form_seconds(current, Form::optimized);
  row.failed = current.judged.verdict == Verdict::failed;
  if (counts) row.increases = count_increases(base.measured.figures, current.measured.figures);
  if (is_error(base) || is_error(current)) {
    row.verdict = base.judged.verdict == current.judged.verdict ? current.judged.verdict : Verdict::invalid;
    row.note = why_not_measured(base, current);
    return row;
  }
  row.vanished = vanished_counts(base.measured.figures, current.measured.figures);
  const auto before = series_of(base), after = series_of(current);
  if (base.measured.timer != current.measured.timer) {
    row.verdict = Verdict::invalid;
    row.note = "timed by different clocks";
  } else if (!timed(before) || !timed(after)) {
    row.note = "one file has no timed unit of this row";
  } else {
    Rule rule{.alpha = alpha, .delta = current.delta};
    if (base.judged.early || current.judged.early) rule.early = early_looks;
    judge_times(before, after, rule, row);
  }
  return row;
}

/// Page faults are the allocator's and the kernel's as well as the form's: they are shown and fail nothing.
bool may_fail(const Figure& figure) { return is_count(figure) && figure.unit != faults_unit; }

}  // namespace

std::vector<results::Difference> settings_differences(const results::Session& base,
                                                      const results::Session& current) {
  std::vector<results::Difference> all;
  const auto before = settings_of(base), after = settings_of(current);
  auto names = before;
  names.insert(after.begin(), after.end());
  const auto value = [](const auto& settings, const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string("not given") : found->second;
  };
  for (const auto& [name, ignored] : names)
    if (value(before, name) != value(after, name))
      all.push_back({name, value(before, name), value(after, name)});
  return all;
}

std::vector<CountIncrease> count_increases(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current) {
  std::vector<CountIncrease> increases;
  for (const auto& after : current) {
    const auto before = std::ranges::find(base, after.name, &Figure::name);
    if (before == base.end() || before->unit != after.unit || !may_fail(*before) || !may_fail(after))
      continue;
    if (counts_more(after.unit, before->naive, after.naive))
      increases.push_back({after.name, "naive", after.unit, before->naive, after.naive});
    if (counts_more(after.unit, before->optimized, after.optimized))
      increases.push_back({after.name, "optimized", after.unit, before->optimized, after.optimized});
  }
  return increases;
}

std::vector<std::string> vanished_counts(const std::vector<Figure>& base,
                                         const std::vector<Figure>& current) {
  std::vector<std::string> names;
  for (const auto& before : base)
    if (may_fail(before) && std::ranges::find(current, before.name, &Figure::name) == current.end())
      names.push_back(before.name);
  return names;
}

Comparison compare_runs(const results::Results& base, const results::Results& current,
                        const CompareRules& rules) {
  Comparison result{.base = base.file, .current = current.file};
  compare_fingerprints(base, current, rules.across, result);
  for (const auto& row : base.rows)
    if (current.find(row.name) == nullptr) result.missing.push_back(row.name);
  for (const auto& row : current.rows)
    if (base.find(row.name) == nullptr) result.added.push_back(row.name);
  if (refused(result, rules)) return result;
  // Made data follow from the seed, and with them the bytes that a step copies.
  const bool same_data = base.session.data_seed == current.session.data_seed;
  if (!same_data)
    result.warnings.push_back(
        fmt::format("counts are not compared, because the seeds of the data differ ({} and {}); run both "
                    "with the same --seed, or both without",
                    seed_text(base.session.data_seed), seed_text(current.session.data_seed)));
  for (const auto& row : current.rows) {
    const auto* const before = base.find(row.name);
    if (before == nullptr) continue;
    result.rows.push_back(compare_rows(*before, row, current.session.alpha, same_data));
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
