#include "harness/simulate/gpu.hpp"

#include "harness/core/median.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/machine/device_model.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::simulate {
namespace {

constexpr double hyper_q = 3.5;  // the first compute capability whose streams have queues of their own

std::map<std::string, double> model_values(const Field& model) {
  std::map<std::string, double> values;
  for (const auto& [name, entry] : model.members()) {
    const auto value = entry["value"];
    if (value.json().is_object())
      for (const auto& [part, number] : value.members()) values[name + "_" + part] = number.positive();
    else
      values[name] = value.positive();
  }
  return values;
}

/// What says which sheet it is; all other members are values.
bool names_the_sheet(std::string_view member) {
  return member == "name" || member == "title" || member == "device";
}

constexpr double most_counted = 1'000'000;
constexpr double most_generations = 5;

bool counts_commands(std::string_view name) {
  return name.ends_with("_commands") || name.ends_with("_reads");
}

double most_of(std::string_view name) {
  if (name == "link_generation") return most_generations;
  if (counts_commands(name)) return most_library_commands;
  return name == "copy_engines" ? 2 : most_counted;  // one for each direction, or one for both
}

/// Why the value cannot be that number; empty where it can.
std::string number_error(std::string_view name, double number) {
  if (!std::isfinite(number) || number <= 0) return "expected a number above 0";
  if (name.ends_with("_share") && number > 1) return "expected a share, at most 1";
  const auto most = most_of(name);
  if (is_whole(name) && (number != std::floor(number) || number > most))
    return fmt::format("expected a whole number from 1 to {:.0f}", most);
  return {};
}

/// Every value stands in a list, before its source.
Gpu read_gpu(const Field& sheet, std::map<std::string, double> model) {
  Gpu gpu{clean_text(sheet["name"]), clean_text(sheet["title"]), std::move(model)};
  for (const auto& [name, value] : sheet.members()) {
    if (names_the_sheet(name)) continue;
    const auto parts = value.entries();
    if (parts.size() != 2) value.reject("expected [value, source]");
    if (const auto why = number_error(name, parts[0].number()); !why.empty()) value.reject(why);
    gpu.values[name] = parts[0].number();
    if (parts[1].text().empty()) parts[1].reject("a source is needed");
  }
  for (const auto* needed : {"link_generation", "compute_capability"})
    if (!gpu.has(needed)) sheet.reject(fmt::format("the value '{}' is missing", needed));
  return gpu;
}

void add_names(const Field& sheet, std::set<std::string>& names) {
  for (const auto& [name, value] : sheet.members())
    if (value.json().is_array()) names.insert(name);
}

std::vector<std::string> value_names() {
  const auto gpus = parse_json(gpus_json(), "gpus.json");
  const auto costs = parse_json(costs_json(), "costs.json");
  const Field book(costs, "costs.json");
  std::set<std::string> names;
  for (const auto& sheet : Field(gpus, "gpus.json")["gpus"].entries()) add_names(sheet, names);
  for (const auto& host : book["hosts"].entries()) add_names(host["values"], names);
  for (const auto& [name, entry] : book["model"].members())
    if (const auto value = entry["value"]; value.json().is_object())
      for (const auto& [part, number] : value.members()) names.insert(name + "_" + part);
    else
      names.insert(name);
  return {names.begin(), names.end()};
}

/// Why there is no such value; empty where a sheet of gpus.json or the model of costs.json has one.
std::string name_error(std::string_view name) {
  const auto names = value_names();
  if (std::ranges::count(names, name) > 0) return {};
  return fmt::format("unknown value '{}'; known are {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names));
}

Gpu from_file(const std::string& file, const Field& costs) {
  constexpr std::uint64_t most_bytes = 1 << 20;
  const auto json = read_json(file, most_bytes);
  const Field sheet(json, file);
  for (const auto* needed : {"name", "title"}) sheet[needed].text();
  for (const auto& [name, value] : sheet.members())
    if (const auto why = names_the_sheet(name) ? std::string() : name_error(name); !why.empty())
      value.reject(why);
  auto gpu = read_gpu(sheet, model_values(costs["model"]));
  if (gpu.title.empty()) sheet["title"].reject("a title is needed");
  gpu.title += fmt::format(" ({})", file);  // it is no GPU that is known, whatever it is called
  gpu.name = file;
  return gpu;
}

/// Without the value a kernel takes the whole device.
int multiprocessors_of(const Gpu& gpu) {
  return gpu.has("multiprocessors") ? static_cast<int>(gpu["multiprocessors"]) : 1;
}

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

/// The names of the classes of hosts in costs.json.
std::vector<std::string> host_names() {
  const auto json = parse_json(costs_json(), "costs.json");
  std::vector<std::string> names;
  for (const auto& host : Field(json, "costs.json")["hosts"].entries()) names.push_back(host["name"].text());
  return names;
}

}  // namespace

double Gpu::operator[](const std::string& value) const {
  if (const auto found = values.find(value); found != values.end()) return found->second;
  throw BadInput(
      fmt::format("{}: the value '{}' is not known; give one with --set {}=NUMBER", title, value, value));
}

std::vector<std::string> gpu_names() {
  const auto sheets = parse_json(gpus_json(), "gpus.json");
  const auto costs = parse_json(costs_json(), "costs.json");
  const auto missing = Field(costs, "costs.json")["missing"];
  std::vector<std::string> names;
  for (const auto& sheet : Field(sheets, "gpus.json")["gpus"].entries())
    if (auto name = sheet["name"].text(); !missing.has(name)) names.push_back(std::move(name));
  return names;
}

Gpu find_gpu(const std::string& text) {
  const auto sheets = parse_json(gpus_json(), "gpus.json");
  const auto json = parse_json(costs_json(), "costs.json");
  const Field costs(json, "costs.json");
  if (text.ends_with(".json")) return from_file(text, costs);
  if (const auto why = costs["missing"].find(text))
    throw BadInput(fmt::format("--gpu {}: cannot be simulated: {}; describe it in a file: --gpu FILE.json",
                               text, why->text()));
  for (const auto& sheet : Field(sheets, "gpus.json")["gpus"].entries())
    if (sheet["name"].text() == text) return read_gpu(sheet, model_values(costs["model"]));
  const auto names = gpu_names();
  throw BadInput(fmt::format("--gpu {}: unknown GPU; known are {}{}", text, fmt::join(names, ", "),
                             did_you_mean(text, names)));
}

void set_value(Gpu& gpu, std::string_view text, std::string_view option) {
  const auto equals = text.find('=');
  const std::string name(text.substr(0, equals));
  const auto number = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  const auto value = parse_number<double>(number);
  if (!value) throw BadInput(fmt::format("{} {}: expected NAME=NUMBER", option, text));
  const auto unknown = gpu.has(name) ? std::string() : name_error(name);
  if (const auto why = unknown.empty() ? number_error(name, *value) : unknown; !why.empty())
    throw BadInput(fmt::format("{} {}: {}", option, text, why));
  gpu.values[name] = *value;
}

Rules rules_of(const Gpu& gpu) {
  return {.multiprocessors = multiprocessors_of(gpu),
          .copy_engines = static_cast<int>(gpu["copy_engines"]),
          .one_queue = gpu["compute_capability"] < hyper_q,
          .queue_length = static_cast<int>(gpu["queue_length"]),
          .reach = nanoseconds(gpu["reach"] * micro),
          .gap = nanoseconds(gpu["gap"] * micro),
          .node_gap = nanoseconds(gpu["node_gap"] * micro),
          .wake = nanoseconds(gpu["wake"] * micro)};
}

bool is_whole(std::string_view name) {
  constexpr std::array<std::string_view, 4> counts{"multiprocessors", "copy_engines", "queue_length",
                                                   "link_generation"};
  return counts_commands(name) || std::ranges::count(counts, name) > 0;
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
