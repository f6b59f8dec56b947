#include "harness/simulate/price_list.hpp"

#include "harness/core/median.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::simulate {
namespace {

/// Lowest and highest of five values hold their median with 94 %; of four with 88 %.
constexpr std::size_t fewest_repetitions = 5;

double seconds_of_unit(const Field& unit) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};
  const auto text = unit.text();
  for (const auto& [name, seconds] : units)
    if (name == text) return seconds;
  unit.reject("'" + text + "' is not a unit of time");
}

/// Without how its clock is called.
std::string plain_name(std::string name) {
  for (const std::string_view clock : {"/real_time", "/manual_time"})
    if (name.ends_with(clock)) name.resize(name.size() - clock.size());
  return name;
}

bool is_repetition(const Field& row) {
  if (row.has("run_type") && row["run_type"].text() != "iteration") return false;
  return !row.has("error_occurred") || !row["error_occurred"].boolean();
}

double seconds_of(const Field& row) {
  const double seconds = row["real_time"].number() * seconds_of_unit(row["time_unit"]);
  if (!(seconds >= 0)) row["real_time"].reject("expected a time of at least 0");
  return seconds;
}

}  // namespace

std::map<std::string, double> prices_from(const Json& json, const std::string& file) {
  const Field root(json, file);
  if (!root.has("context") || !root.has("benchmarks"))
    root.reject("this is not a price list; write one with tuneproof prices --benchmark_out=FILE");
  std::map<std::string, std::vector<double>> repetitions;
  for (const auto& row : root["benchmarks"].entries())
    if (is_repetition(row))
      repetitions[plain_name(row[row.has("run_name") ? "run_name" : "name"].text())].push_back(
          seconds_of(row));
  std::map<std::string, double> prices;
  for (auto& [name, seconds] : repetitions) {
    if (seconds.size() < fewest_repetitions)
      throw BadInput(fmt::format(
          "{}: {} was measured {} time{}, but an interval needs {} (--benchmark_repetitions={})", file, name,
          seconds.size(), seconds.size() == 1 ? "" : "s", fewest_repetitions, fewest_repetitions));
    prices[name] = median(std::move(seconds));
  }
  return prices;
}

}  // namespace harness::simulate
