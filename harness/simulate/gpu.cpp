#include "harness/simulate/gpu.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/machine/device_model.hpp"
#include "harness/simulate/embedded.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/simulate/units.hpp"
#include "harness/support/field.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/read_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

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

std::string name_error(std::string_view name) {
  const auto names = value_names();
  if (std::ranges::count(names, name) > 0) return {};
  return fmt::format("unknown value '{}'; known are {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names));
}

std::string number_error(std::string_view name, double number) {
  if (!std::isfinite(number) || number <= 0) return "expected a number above 0";
  if (name.ends_with("_share") && number > 1) return "expected a share, at most 1";
  const auto most = most_of(name);
  if (is_whole(name) && (number != std::floor(number) || number > most))
    return fmt::format("expected a whole number from 1 to {:.0f}", most);
  return {};
}

}  // namespace harness::simulate
