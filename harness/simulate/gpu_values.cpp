#include "harness/simulate/gpu_values.hpp"

#include "harness/machine/device_model.hpp"
#include "harness/simulate/embedded.hpp"
#include "harness/simulate/recording_limits.hpp"
#include "harness/support/field.hpp"
#include "harness/support/near_miss.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace harness::simulate {
namespace {

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
