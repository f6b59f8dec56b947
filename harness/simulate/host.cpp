#include "harness/simulate/host.hpp"

#include "harness/core/median.hpp"
#include "harness/simulate/embedded.hpp"
#include "harness/simulate/units.hpp"
#include "harness/support/folder.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/read_json.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::simulate {
namespace {

constexpr double mebi = 1 << 20;

constexpr auto copying = "prices/memcpy/bytes:256MiB";
constexpr auto touching = "prices/allocate/malloc_touched/bytes:256MiB";
constexpr auto dispatching = "prices/dispatch/host/add";

using Prices = std::map<std::string, double>;

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

/// The median seconds of each row of a list of `tuneproof prices`, by its name without what Google Benchmark
/// adds to it. Throws BadInput, naming `file`, where it is no such list.
Prices prices_from(const Json& json, const std::string& file) {
  const Field root(json, file);
  if (!root.has("context") || !root.has("benchmarks"))
    root.reject("this is not a price list; write one with tuneproof prices --benchmark_out=FILE");
  std::map<std::string, std::vector<double>> repetitions;
  for (const auto& row : root["benchmarks"].entries())
    if (is_repetition(row))
      repetitions[plain_name(row[row.has("run_name") ? "run_name" : "name"].text())].push_back(
          seconds_of(row));
  Prices prices;
  for (auto& [name, seconds] : repetitions) {
    if (seconds.size() < fewest_repetitions)
      throw BadInput(fmt::format(
          "{}: {} was measured {} time{}, but an interval needs {} (--benchmark_repetitions={})", file, name,
          seconds.size(), seconds.size() == 1 ? "" : "s", fewest_repetitions, fewest_repetitions));
    prices[name] = median(std::move(seconds));
  }
  return prices;
}

double seconds_of(const Prices& prices, const std::string& row, const std::string& file) {
  const auto seconds = prices.at(row);
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw BadInput(fmt::format("--host {}: the price of {} is not a time above 0", file, row));
  return seconds;
}

/// All that are missing in one sentence, so that they are measured in one go.
void require_prices(const Prices& prices, const std::string& file) {
  std::vector<std::string> missing;
  for (const auto* row : {copying, touching, dispatching})
    if (!prices.contains(row)) missing.emplace_back(row);
  if (!missing.empty())
    throw BadInput(fmt::format("--host {}: the price list lacks {}; take a list with tuneproof prices", file,
                               fmt::join(missing, ", ")));
}

void take_prices(Gpu& gpu, const std::string& file) {
  const auto json = read_json(file, most_results_bytes);
  const auto prices = prices_from(json, file);
  require_prices(prices, file);
  constexpr double size = 256 * mebi / giga;
  const auto copied = size / seconds_of(prices, copying, file);
  const auto dispatch = seconds_of(prices, dispatching, file) / micro;
  gpu.values["staging_rate"] = copied;
  gpu.values["host_rate"] = 2 * copied;  // read and written
  gpu.values["touch_rate"] = size / seconds_of(prices, touching, file);
  gpu.values["host_operator"] = dispatch;
  gpu.values["operator"] = dispatch;
}

}  // namespace

std::vector<std::string> host_names() {
  const auto json = parse_json(costs_json(), "costs.json");
  std::vector<std::string> names;
  for (const auto& host : Field(json, "costs.json")["hosts"].entries()) names.push_back(host["name"].text());
  return names;
}

void set_host(Gpu& gpu, const std::string& text) {
  const auto json = parse_json(costs_json(), "costs.json");
  for (const auto& host : Field(json, "costs.json")["hosts"].entries()) {
    if (host["name"].text() != text) continue;
    for (const auto& [name, value] : host["values"].members())
      gpu.values[name] = value.entries().at(0).positive();
    return;
  }
  if (is_json_name(text) || std::filesystem::exists(text)) return take_prices(gpu, text);
  const auto names = host_names();
  throw BadInput(fmt::format("--host {}: unknown class of hosts; known are {}, or a file of prices{}", text,
                             fmt::join(names, ", "), did_you_mean(text, names)));
}

}  // namespace harness::simulate
