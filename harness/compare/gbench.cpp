#include "harness/compare/gbench.hpp"

#include "harness/core/counts.hpp"
#include "harness/core/median.hpp"
#include "harness/core/setup.hpp"
#include "harness/machine/host.hpp"
#include "harness/results/row_json.hpp"
#include "harness/support/field.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::compare {
namespace {

// A file of Google Benchmark.

constexpr std::string_view cpu_time_name = "CPU time";

/// The repetitions of one benchmark, in ln(seconds), or why there are none.
struct Repetitions {
  std::vector<double> logs;
  std::map<std::string, std::vector<double>> figures;  // CPU time in seconds, rates, memory, own counters
  double seconds = 0;                                  // in which it ran
  std::string error;
};

/// Which of the families of one name it is: a file may register a name twice.
using Family = std::pair<double, double>;

/// What is compared of it.
struct GbenchFile {
  std::string file;
  std::map<std::string, std::string> context;
  std::string busy;  // of prices: what other work took meanwhile, where that was much
  std::vector<std::string> order;
  std::map<std::string, Repetitions> benchmarks;
  std::map<std::string, std::map<Family, std::size_t>>
      families;  // by the name that the file has: each's place
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
  auto text = value.json().is_string() ? value.text() : value.json().dump();
  if (text.size() > longest) value.reject(fmt::format("longer than {} bytes", longest));
  return text;
}

bool is_aggregate(const Field& row) {
  const auto type = row.find("run_type");
  return type && type->text() == "aggregate";
}

double number_or_zero(const Field& row, const char* name) {
  const auto field = row.find(name);
  return field ? field->number() : 0;
}

/// The name, with a number behind it from the second family of that name on.
std::string name_of(const Field& row, GbenchFile& file) {
  const auto run_name = row.find("run_name");
  auto name = results::row_name_from(run_name ? *run_name : row["name"]);
  auto& families = file.families[name];
  const Family family{number_or_zero(row, "family_index"), number_or_zero(row, "per_family_instance_index")};
  const auto place = families.try_emplace(family, families.size()).first->second;
  return place == 0 ? name : fmt::format("{} (no. {} of this name)", name, place + 1);
}

/// What Google Benchmark writes of a run itself; every other number is a counter.
bool is_counter(std::string_view name) {
  constexpr std::array<std::string_view, 10> own{
      "repetitions",  "repetition_index",          "threads",      "iterations",    "real_time", "cpu_time",
      "family_index", "per_family_instance_index", "complexity_n", "aggregate_unit"};
  return std::ranges::find(own, name) == own.end();
}

void read_figures(const Field& row, Repetitions& repetitions) {
  if (row.has("cpu_time"))
    repetitions.figures[std::string(cpu_time_name)].push_back(row["cpu_time"].number() * seconds_in(row));
  for (const auto& [name, value] : row.members())
    if (value.json().is_number() && is_counter(name)) repetitions.figures[name].push_back(value.number());
}

void read_benchmark(const Field& row, GbenchFile& file) {
  const auto name = name_of(row, file);
  if (!file.benchmarks.contains(name)) file.order.push_back(name);
  auto& repetitions = file.benchmarks[name];
  for (const auto* said : {"error_message", "skip_message"})
    if (const auto message = row.find(said)) {
      repetitions.error = message->text();
      return;
    }
  const auto time = row["real_time"];
  const auto seconds = time.number() * seconds_in(row);
  constexpr double most_seconds = 1e9;  // 30 years
  if (!(seconds > 0) || seconds > most_seconds) time.reject("expected a time above 0 and below 30 years");
  repetitions.logs.push_back(std::log(seconds));
  repetitions.seconds += seconds * std::max(1.0, number_or_zero(row, "iterations"));
  read_figures(row, repetitions);
}

/// Reads it. Throws BadInput for a file of aggregates, and for prices of the stand-in where these are not
/// allowed.
GbenchFile read_gbench(const Field& root, results::StandIn stand_in) {
  GbenchFile file;
  file.file = root.path();
  const auto context = root.find("context");
  results::check_stand_in(results::on_stand_in(root.json()), stand_in, file.file);
  if (context)
    for (const auto* name : {"host_name", "num_cpus", "caches", "library_build_type", "cpu_scaling_enabled"})
      if (const auto value = context->find(name)) file.context[name] = text_of(*value);
  if (const auto share = context ? context->find("other_cpu_share") : std::nullopt)
    file.busy = busy_text(text_of(*share));
  const auto rows = root["benchmarks"].entries();
  for (const auto& row : rows)
    if (!is_aggregate(row)) read_benchmark(row, file);
  if (file.benchmarks.empty() && !rows.empty())
    throw BadInput(file.file +
                   ": contains only aggregates; measure again without --benchmark_report_aggregates_only");
  return file;
}

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
  return is_change(verdict);
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

/// Another kind of machine, or another build of the library, is refused as in files of ours.
void compare_contexts(const GbenchFile& base, const GbenchFile& current, const std::vector<Across>& across,
                      Comparison& result) {
  std::vector<results::Difference> hard;
  for (const auto& [name, value] : base.context) {
    const auto other = current.context.find(name);
    if (other == current.context.end() || other->second == value) continue;
    if (name == "host_name")
      note_host(value, other->second, result);
    else if (name == "cpu_scaling_enabled")
      result.warnings.push_back(fmt::format("{} differs: {} -> {}", name, value, other->second));
    else
      hard.push_back({"context." + name, value, other->second});
  }
  add_differences(std::move(hard), across, result);
  for (const auto* file : {&base, &current})
    if (const auto type = file->context.find("library_build_type");
        type != file->context.end() && type->second == "debug")
      result.warnings.push_back(file->file + ": Google Benchmark itself is a debug build");
  for (const auto* file : {&base, &current})
    if (!file->busy.empty())
      result.warnings.push_back(fmt::format("{}: do not trust it: {}", file->file, file->busy));
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
    result.rows.push_back(std::move(row));
  }
  mark_leaning(result, [&](const std::string& row) {
    return std::array{base.benchmarks.at(row).logs, current.benchmarks.at(row).logs};
  });
  for (auto& row : result.rows)
    if (!result.differences.empty() && row.optimized) without_verdict(row);
  clean(result);
  return result;
}

}  // namespace harness::compare
