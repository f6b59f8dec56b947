#include "harness/compare/gbench.hpp"

#include "harness/core/median.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/row_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string_view>

namespace harness::compare {
namespace {

/// The repetitions of one benchmark, in ln(seconds), or why there are none.
struct Repetitions {
  std::vector<double> logs;
  std::string error;
};

struct GbenchFile {
  std::string file;
  std::map<std::string, std::string> context;
  std::vector<std::string> order;
  std::map<std::string, Repetitions> benchmarks;
};

double seconds_in(const Field& row) {
  const auto unit = row.find("time_unit");
  const auto word = unit ? unit->text() : std::string("ns");
  for (const auto& [name, seconds] : {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}})
    if (word == name) return seconds;
  unit->reject(fmt::format("'{}' is not a unit of time", word.substr(0, 20)));
}

/// A value of the context as text.
std::string text_of(const Field& value) {
  constexpr std::size_t longest = 1024;
  auto text = value.json().dump();
  if (text.size() > longest) value.reject(fmt::format("longer than {} bytes", longest));
  return text;
}

bool is_aggregate(const Field& row) {
  const auto type = row.find("run_type");
  return type && type->text() == "aggregate";
}

void read_benchmark(const Field& row, GbenchFile& file) {
  const auto run_name = row.find("run_name");
  const auto name = results::row_name_from(run_name ? *run_name : row["name"]);
  if (!file.benchmarks.contains(name)) file.order.push_back(name);
  auto& repetitions = file.benchmarks[name];
  if (const auto message = row.find("error_message")) {
    repetitions.error = message->text();
    return;
  }
  const auto time = row["real_time"];
  const auto seconds = time.number() * seconds_in(row);
  constexpr double most_seconds = 1e9;  // 30 years
  if (!(seconds > 0) || seconds > most_seconds) time.reject("expected a time above 0 and below 30 years");
  repetitions.logs.push_back(std::log(seconds));
}

GbenchFile read(const Field& root, results::StandIn stand_in) {
  GbenchFile file;
  file.file = root.path();
  const auto context = root.find("context");
  results::check_stand_in(results::on_stand_in(root.json()), stand_in, file.file);
  if (context)
    for (const auto* name : {"host_name", "num_cpus", "library_build_type", "cpu_scaling_enabled"})
      if (const auto value = context->find(name)) file.context[name] = text_of(*value);
  const auto rows = root["benchmarks"].entries();
  for (const auto& row : rows)
    if (!is_aggregate(row)) read_benchmark(row, file);
  if (file.benchmarks.empty() && !rows.empty())
    throw BadInput(file.file +
                   ": contains only aggregates; measure again without --benchmark_report_aggregates_only");
  return file;
}

ComparedRow compare_benchmark(const Repetitions& base, const Repetitions& current, const Rule& rule) {
  ComparedRow row;
  row.delta = rule.delta;
  const auto& error = base.error.empty() ? current.error : base.error;
  if (!error.empty() || base.logs.empty() || current.logs.empty()) {
    row.verdict = Verdict::invalid;
    row.note = fmt::format("failed in {}: {}", base.error.empty() ? "NEW" : "BASE", error.substr(0, 200));
    return row;
  }
  row.base_seconds = std::exp(median(base.logs));
  row.seconds = std::exp(median(current.logs));
  row.optimized = change_of(base.logs, current.logs, rule);
  row.verdict = row.optimized->verdict;
  if (!row.optimized->ratio_interval)
    row.note = fmt::format("an interval needs {} repetitions in each file, but these have {} and {}",
                           units_for_change(rule.alpha), base.logs.size(), current.logs.size());
  return row;
}

void compare_contexts(const GbenchFile& base, const GbenchFile& current, Comparison& result) {
  for (const auto& [name, value] : base.context)
    if (const auto other = current.context.find(name);
        other != current.context.end() && other->second != value)
      result.warnings.push_back(fmt::format("{} differs: {} -> {}", name, value, other->second));
  for (const auto* file : {&base, &current})
    if (const auto type = file->context.find("library_build_type");
        type != file->context.end() && type->second == "\"debug\"")
      result.warnings.push_back(file->file + ": Google Benchmark itself is a debug build");
}

}  // namespace

Comparison compare_gbench(const Field& base_root, const Field& current_root, const Rule& rule,
                          results::StandIn stand_in) {
  const auto base = read(base_root, stand_in);
  const auto current = read(current_root, stand_in);
  Comparison result{.base = base.file, .current = current.file};
  compare_contexts(base, current, result);
  for (const auto& name : base.order)
    if (!current.benchmarks.contains(name)) result.missing.push_back(name);
  for (const auto& name : current.order) {
    const auto before = base.benchmarks.find(name);
    if (before == base.benchmarks.end()) {
      result.added.push_back(name);
      continue;
    }
    auto row = compare_benchmark(before->second, current.benchmarks.at(name), rule);
    row.name = name;
    row.step = name.substr(0, name.find('/'));
    result.rows.push_back(std::move(row));
  }
  return result;
}

}  // namespace harness::compare
