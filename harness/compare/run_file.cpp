#include "harness/compare/run_file.hpp"

#include "harness/core/median.hpp"
#include "harness/run/row_view.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace harness::compare {
namespace {

/// Options that change nothing that is timed: where a training is logged, and whether a command may fail CI.
constexpr std::string_view untimed_options[] = {"log", "log-every", "gate"};

/// Of each unit the median over the form's slots; a unit of which one lacks its time is left out.
std::vector<double> form_logs(const std::vector<Sample>& samples, Form form) {
  std::map<int, std::vector<double>> units;
  for (const auto& sample : samples)
    if (sample.form == form) units[sample.round].push_back(sample.seconds);
  std::vector<double> logs;
  for (const auto& [unit, slots] : units)
    if (std::ranges::all_of(slots, [](double seconds) { return seconds > 0; }))
      logs.push_back(std::log(median(slots)));
  return logs;
}

/// Of one of two medians: half of the error.
std::optional<Interval> interval_of(std::span<const double> values, const Rule& rule) {
  const auto interval = median_interval(values, rule.alpha / 2);
  return interval || rule.early.empty() ? interval : widened_range(values, rule.alpha / 2);
}

/// "prepare 3" -> "prepare of head" where "name 3" is "head".
std::string setting_name(const std::string& option, const Options& options) {
  const auto blank = std::min(option.rfind(' '), option.size());
  const auto number = option.substr(blank);
  const auto name = options.find("name" + number);
  if (number.empty() || number == " 1" || name == options.end()) return option;
  return fmt::format("{} of {}", option.substr(0, blank), name->second);
}

}  // namespace

Change change_of(std::span<const double> base, std::span<const double> current, const Rule& rule) {
  Change change;
  change.ratio = std::exp(median({current.begin(), current.end()}) - median({base.begin(), base.end()}));
  const auto before = interval_of(base, rule);
  const auto after = interval_of(current, rule);
  if (!before || !after) return change;
  const Interval difference{after->low - before->high, after->high - before->low};
  change.ratio_interval = Interval{std::exp(difference.low), std::exp(difference.high)};
  change.verdict = judge_interval(difference, rule.delta);
  return change;
}

int units_for_change(double alpha) {
  int units = 1;
  while (order_statistic(units, alpha / 2) == 0) ++units;
  return units;
}

results::Results read_run(const Json& document, const std::string& name, results::StandIn stand_in) {
  constexpr std::size_t longest_fingerprint = 65536;
  if (document.is_object() && !document.contains("tuneproof") && document.contains("benchmarks"))
    throw BadInput(name +
                   ": is a file of Google Benchmark; `tuneproof compare --gbench BASE.json NEW.json` "
                   "compares two of them");
  auto run = results::results_from_json(document, name);
  if (results::fingerprint_to_json(run.fingerprint).dump().size() > longest_fingerprint)
    throw BadInput(fmt::format("{}: tuneproof.fingerprint: longer than {} bytes", name, longest_fingerprint));
  results::require_facts(Field(run.fingerprint.hard, name + ": tuneproof.fingerprint.hard"));
  if (!utc_time(run.session.started))
    throw BadInput(name + ": tuneproof.session.started: expected a time like 2026-01-31T12:00:00+00:00");
  results::check_stand_in(results::on_stand_in(run.fingerprint), stand_in, name);
  return run;
}

results::Results read_run_file(const std::filesystem::path& file, results::StandIn stand_in) {
  const auto name = file.string();
  return read_run(read_json(file, most_results_bytes), name, stand_in);
}

void name_sides(const catalogue::Catalogue& catalogue, results::Results& run) {
  for (auto& row : run.rows) {
    const auto step = std::ranges::find(catalogue.steps, row.step, &catalogue::Step::id);
    if (row.sides.naive == results::RowSides{}.naive && step != catalogue.steps.end())
      row.sides = {step->naive, step->optimized};
  }
}

RowSeries series_of(const results::Row& row) {
  RowSeries series{.naive = form_logs(row.measured.samples, Form::naive),
                   .optimized = form_logs(row.measured.samples, Form::optimized),
                   .log_ratios = row.measured.log_ratios};
  std::erase_if(series.log_ratios, [](double ratio) { return !std::isfinite(ratio); });
  return series;
}

double shown_value(const results::Row& row, Form form) {
  if (form == Form::naive) return row.naive_seconds;
  const bool by_ratio = row.optimized_seconds > 0 && !run::has_one_form(row);
  return by_ratio ? results::shown_optimized(row) : row.optimized_seconds;
}

Interval holding(Interval interval, double value) {
  return {std::min(interval.low, value), std::max(interval.high, value)};
}

ValueWords value_words(std::string_view row_name) {
  if (row_name.starts_with("versus/memory/")) return {"B", "less", "more", "memory"};
  if (row_name.starts_with("versus/instructions/")) return {"instructions", "less", "more", "instructions"};
  if (row_name.starts_with("versus/printed/")) return {"", "better", "worse", "printed"};
  if (results::is_rate(row_name)) return {"", "better", "worse", "inverse-rate"};
  return {};
}

ValueWords value_words(const results::Row& row) {
  const auto& measured = row.measured;
  if (results::is_of_commands(row.name) || measured.statistic == Statistic::median)
    return value_words(row.name);
  if (measured.statistic == Statistic::tail) return {"x", "less", "more", "p99-over-median"};
  if (measured.figures.empty()) return {"", "less", "more", "figure"};
  return {measured.figures.front().unit, "less", "more", measured.figures.front().name};
}

std::string value_text(std::string_view row_name, const ValueWords& words, double value) {
  if (!(value > 0)) return {};
  return run::judged_text(results::as_printed(row_name, value), words.unit);
}

std::string printed_change(std::string_view row_name, double ratio, const std::optional<Interval>& interval) {
  return change_text(results::as_printed(row_name, ratio), results::as_printed(row_name, interval));
}

std::map<std::string, std::string> settings_of(const results::Session& session) {
  std::map<std::string, std::string> settings{{"threads", std::to_string(session.threads)}};
  for (const auto& [name, value] : session.options)
    if (std::ranges::find(untimed_options, name) == std::end(untimed_options))
      settings[fmt::format("--{}", setting_name(name, session.options))] = value;
  return settings;
}

std::string seed_text(std::uint64_t seed) { return fmt::format("0x{:x}", seed); }

}  // namespace harness::compare
