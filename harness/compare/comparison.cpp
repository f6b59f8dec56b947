#include "harness/compare/comparison.hpp"

#include "harness/compare/leaning.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/verdict.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::compare {
namespace {

/// True if the setting is one of a command of `versus` that only one of the two has: its row is missing or
/// new.
bool is_of_lone_command(const results::Difference& setting, const std::vector<results::Difference>& all) {
  const auto of = setting.field.find(" of ");
  if (of == std::string::npos) return false;
  return std::ranges::find(all, "--name" + setting.field.substr(of), &results::Difference::field) !=
         all.end();
}

void compare_fingerprints(const results::Results& base, const results::Results& current,
                          const std::vector<Across>& across, Comparison& result) {
  add_differences(results::differences(base.fingerprint.hard, current.fingerprint.hard), across, result);
  const auto settings = settings_differences(base.session, current.session);
  for (const auto& difference : settings) {
    if (is_of_lone_command(difference, settings)) continue;
    // The commands of `versus` have names, by which their rows are found; a path may be another one each
    // night.
    if (difference.field.starts_with("--command "))
      result.warnings.push_back(fmt::format("{} differs: {} -> {}", difference.field.substr(2),
                                            difference.base, difference.current));
    else
      result.differences.push_back(difference);
  }
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.soft, current.fingerprint.soft))
    result.warnings.push_back(fmt::format("{} differs: {} -> {}", field, before, after));
  for (const auto& [field, before, after] :
       results::differences(base.fingerprint.info, current.fingerprint.info)) {
    if (field == "host_name") note_host(before, after, result);
    if (field == "gpu_uuid" && before != "none" && after != "none")
      result.warnings.push_back("another GPU of the same kind (its UUID differs)");
  }
}

/// The control: where both forms moved and their ratio did not, the step's own change is not what is seen.
bool both_moved(const ComparedRow& row) {
  return is_change(row.optimized->verdict) && row.naive->verdict == row.optimized->verdict &&
         row.speed_up->verdict == Verdict::no_effect;
}

std::string why_not_measured(const results::Row& base, const results::Row& current) {
  const bool both = is_error(base) && is_error(current);
  const auto& row = is_error(current) ? current : base;
  return fmt::format("{} in {}: {}", to_string(row.judged.verdict),
                     both                ? "BASE and NEW"
                     : is_error(current) ? "NEW"
                                         : "BASE",
                     row.reason);
}

/// What becomes of a row that one run has no result of.
void note_error(const results::Row& base, const results::Row& current, ComparedRow& row) {
  const auto skipped = [](const results::Row& side) { return side.judged.verdict == Verdict::skipped; };
  row.note = why_not_measured(base, current);
  row.lost = skipped(current) && !is_error(base);
  // A row that only NEW can run is new to it.
  row.verdict =
      skipped(current) || (skipped(base) && !is_error(current)) ? Verdict::skipped : Verdict::failed;
}

bool timed(const RowSeries& series) {
  return !series.naive.empty() && !series.optimized.empty() && !series.log_ratios.empty();
}

/// The change of what both tables show, so that BASE, NEW and the change of a row agree. Its interval is that
/// of the medians, or reaches as far as this change: no verdict is easier for it.
void take_shown(Change& change, double base, double current, double delta) {
  if (!(base > 0 && current > 0)) return;
  change.ratio = current / base;
  if (!change.ratio_interval) return;
  const auto interval = change.ratio_interval = holding(*change.ratio_interval, change.ratio);
  change.verdict = judge_interval({std::log(interval->low), std::log(interval->high)}, delta);
}

void judge_times(const RowSeries& base, const RowSeries& current, const Rule& rule, ComparedRow& row) {
  row.naive = change_of(base.naive, current.naive, rule);
  row.optimized = change_of(base.optimized, current.optimized, rule);
  row.speed_up = change_of(base.log_ratios, current.log_ratios, rule);
  take_shown(*row.optimized, row.base_seconds, row.seconds, rule.delta);
  row.verdict = row.optimized->verdict;
  if (!row.optimized->ratio_interval)
    row.note = fmt::format("an interval needs {} units in each file", units_for_change(rule.alpha));
  if (both_moved(row))
    row.note = "both sides moved alike, so the cause is the machine or code that they share";
}

ComparedRow compare_rows(const results::Row& base, const results::Row& current, double alpha, bool counts) {
  ComparedRow row;
  row.name = current.name;
  row.step = current.step;
  row.delta = current.delta;
  row.words = value_words(current);
  row.base_seconds = shown_value(base, Form::optimized);
  row.seconds = shown_value(current, Form::optimized);
  row.row_seconds = current.row_seconds;
  row.one_form = run::has_one_form(current);
  const bool scatters = results::is_of_commands(row.name) && row.words.unit == "B";  // peak memory
  if (counts && !scatters)
    row.increases = count_increases(base.measured.figures, current.measured.figures, row.one_form);
  if (is_error(base) || is_error(current)) {
    note_error(base, current, row);
    return row;
  }
  if (counts) row.instructions = instructions_in_both(base.measured.figures, current.measured.figures);
  const auto comparable = counts ? current.measured.figures : std::vector<Figure>();
  row.vanished = vanished_counts(base.measured.figures, comparable);
  const auto before = series_of(base), after = series_of(current);
  if (base.measured.timer != current.measured.timer) {
    row.verdict = Verdict::invalid;
    row.note = "timed by different clocks";
  } else if (!timed(before) || !timed(after)) {
    row.note = fmt::format("{} has no timed round of this row", timed(after) ? "BASE" : "NEW");
    row.lost = timed(before);  // as where a budget ended before its turn
  } else {
    Rule rule{.alpha = alpha, .delta = current.delta};
    if (base.judged.early() || current.judged.early()) rule.early = early_looks;
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

void add_differences(std::vector<results::Difference> found, const std::vector<Across>& across,
                     Comparison& result) {
  std::vector<Across> unused = across;
  for (auto& difference : found) {
    if (!is_treatment(difference.field, across)) {
      result.differences.push_back(std::move(difference));
      continue;
    }
    std::erase_if(unused, [&](Across one) { return is_treatment(difference.field, {one}); });
    result.warnings.push_back(
        fmt::format("the treatment: {} {} -> {}", difference.field, difference.base, difference.current));
  }
  for (const auto one : unused)
    result.warnings.push_back(fmt::format("--across {}: it is the same in both", to_string(one)));
}

void note_host(const std::string& base, const std::string& current, Comparison& result) {
  if (base != current)
    result.warnings.push_back(
        fmt::format("another host: {} -> {}; even machines of one class differ in speed", base, current));
}

void mark_leaning(Comparison& comparison,
                  const std::function<std::array<std::vector<double>, 2>(const std::string& row)>& series) {
  const auto is_open = [](const ComparedRow& row) {
    return row.verdict == Verdict::inconclusive && row.optimized && !row.instructions;
  };
  const auto undecided = std::ranges::count_if(comparison.rows, is_open);
  for (auto& row : comparison.rows) {
    if (!is_open(row)) continue;
    const auto [base, current] = series(row.name);
    row.leaning = leans_slower(base, current, row.delta, static_cast<std::size_t>(undecided));
  }
}

void without_verdict(ComparedRow& row) {
  row.leaning = false;
  row.verdict = Verdict::inconclusive;
  row.note = "no verdict on its time: the two runs differ in what they must share";
  for (auto& figure : row.figures) figure.worse = false;
}

void clean(Comparison& comparison) {
  const auto all = [](std::vector<std::string>& texts) {
    for (auto& text : texts) text = printable(text);
  };
  for (auto* text : {&comparison.base, &comparison.current}) *text = printable(*text);
  for (auto* texts : {&comparison.missing, &comparison.added, &comparison.warnings}) all(*texts);
  for (auto& [field, base, current] : comparison.differences)
    for (auto* text : {&field, &base, &current}) *text = printable(*text);
  for (auto& row : comparison.rows) {
    for (auto* text : {&row.name, &row.step, &row.note, &row.words.unit}) *text = printable(*text);
    all(row.vanished);
    for (auto& figure : row.figures) figure.name = printable(figure.name);
    for (auto& increase : row.increases) increase.figure = printable(increase.figure);
  }
}

Comparison compare_runs(const results::Results& base, const results::Results& current,
                        const CompareRules& rules) {
  Comparison result{.base = base.file, .current = current.file};
  compare_fingerprints(base, current, rules.across, result);
  const auto before = base.by_name(), after = current.by_name();
  for (const auto& row : base.rows)
    if (!after.contains(row.name)) result.missing.push_back(row.name);
  for (const auto& row : current.rows)
    if (!before.contains(row.name)) result.added.push_back(row.name);
  if (refused(result, rules)) {
    clean(result);
    return result;
  }
  // Made data follow from the seed, and with them the bytes that a step copies.
  const bool same_data = base.session.data_seed == current.session.data_seed;
  if (!same_data)
    result.warnings.push_back(
        fmt::format("counts are not compared, because the seeds of the data differ ({} and {}); run both "
                    "with the same --seed, or both without",
                    seed_text(base.session.data_seed), seed_text(current.session.data_seed)));
  for (const auto& row : current.rows) {
    const auto found = before.find(row.name);
    if (found == before.end()) continue;
    result.rows.push_back(compare_rows(*found->second, row, current.session.alpha, same_data));
  }
  mark_leaning(result, [&](const std::string& row) {
    return std::array{series_of(*before.at(row)).optimized, series_of(*after.at(row)).optimized};
  });
  for (auto& row : result.rows)
    if (!result.differences.empty() && row.optimized) without_verdict(row);
  clean(result);
  return result;
}

bool refused(const Comparison& comparison, const CompareRules& rules) {
  return !comparison.differences.empty() && !rules.allow_mismatch;
}

std::vector<CountIncrease> count_increases(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current, bool one_form) {
  std::vector<CountIncrease> increases;
  for (const auto& after : current) {
    const auto before = std::ranges::find(base, after.name, &Figure::name);
    if (before == base.end() || before->unit != after.unit || !may_fail(*before) || !may_fail(after))
      continue;
    if (!one_form && counts_more(after.unit, before->naive, after.naive))
      increases.push_back({after.name, "naive", after.unit, before->naive, after.naive});
    if (counts_more(after.unit, before->optimized, after.optimized))
      increases.push_back(
          {after.name, "optimized", after.unit, before->optimized, after.optimized, one_form});
  }
  return increases;
}

std::optional<Figure> instructions_in_both(const std::vector<Figure>& base,
                                           const std::vector<Figure>& current) {
  const auto before = std::ranges::find(base, instructions_unit, &Figure::unit);
  const auto after = std::ranges::find(current, instructions_unit, &Figure::unit);
  if (before == base.end() || after == current.end() || before->optimized <= 0) return std::nullopt;
  return Figure{before->name, before->unit, before->optimized, after->optimized};
}

std::string instructions_word(const Figure& instructions) {
  if (counts_more(instructions_unit, instructions.naive, instructions.optimized)) return "more instructions";
  const bool fewer = counts_more(instructions_unit, instructions.optimized, instructions.naive);
  return fewer ? "fewer instructions" : "equal instructions";
}

std::vector<std::string> vanished_counts(const std::vector<Figure>& base,
                                         const std::vector<Figure>& current) {
  std::vector<std::string> names;
  for (const auto& before : base) {
    if (!may_fail(before)) continue;
    const auto after = std::ranges::find(current, before.name, &Figure::name);
    if (after == current.end())
      names.push_back(before.name);
    else if (after->unit != before.unit)
      names.push_back(fmt::format("{} (in {}, and now in {})", before.name, before.unit, after->unit));
    else if (!may_fail(*after))
      names.push_back(before.name + " (no whole number now)");
  }
  return names;
}

}  // namespace harness::compare
