#include "harness/compare/gbench_file.hpp"

#include "harness/core/setup.hpp"
#include "harness/results/row_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace harness::compare {
namespace {

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

}  // namespace

GbenchFile read_gbench(const Field& root, results::StandIn stand_in) {
  GbenchFile file;
  file.file = root.path();
  const auto context = root.find("context");
  results::check_stand_in(results::on_stand_in(root.json()), stand_in, file.file);
  if (context)
    for (const auto* name : {"host_name", "num_cpus", "caches", "library_build_type", "cpu_scaling_enabled"})
      if (const auto value = context->find(name)) file.context[name] = text_of(*value);
  const auto rows = root["benchmarks"].entries();
  for (const auto& row : rows)
    if (!is_aggregate(row)) read_benchmark(row, file);
  if (file.benchmarks.empty() && !rows.empty())
    throw BadInput(file.file +
                   ": contains only aggregates; measure again without --benchmark_report_aggregates_only");
  return file;
}

}  // namespace harness::compare
