#include "workloads/settings/train_settings.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace workloads::settings {

using harness::BadInput;
using harness::parse_number;

const std::string* TrainSettings::text(std::string_view name, std::string expected) {
  known_[std::string(name)] = std::move(expected);
  const auto found = given_.find(name);
  return found == given_.end() ? nullptr : &found->second;
}

std::int64_t TrainSettings::count(std::string_view name, std::int64_t standard, std::int64_t least) {
  constexpr std::int64_t most = 1'000'000;
  const auto* const given = text(name, "a whole number");
  if (given == nullptr) return standard;
  const auto value = parse_number<std::int64_t>(*given);
  if (!value || *value < least || *value > most)
    throw BadInput(
        fmt::format("train: {}={} is not a whole number from {} to {}", name, *given, least, most));
  return *value;
}

double TrainSettings::factor(std::string_view name, double standard) {
  const auto* const given = text(name, "a number above 0");
  if (given == nullptr) return standard;
  const auto value = parse_number<double>(*given);
  if (!value || !(*value > 0))
    throw BadInput(fmt::format("train: {}={} is not a number above 0", name, *given));
  return *value;
}

std::string TrainSettings::word(std::string_view name, std::initializer_list<std::string_view> words) {
  const auto list = fmt::format("{}", fmt::join(words, ", "));
  const auto* const given = text(name, list);
  if (given == nullptr) return std::string(*words.begin());
  if (std::ranges::find(words, *given) == words.end())
    throw BadInput(fmt::format("train: {}={}: expected one of {}", name, *given, list));
  return *given;
}

void TrainSettings::check_all_known() const {
  for (const auto& [name, value] : given_) {
    if (known_.contains(name)) continue;
    std::string all;
    for (const auto& [known, takes] : known_)
      all += fmt::format("{}{} ({})", all.empty() ? "" : "; ", known, takes);
    throw BadInput(fmt::format("train: {}={}: there is no such setting; there are {}", name, value, all));
  }
}

std::int64_t count_option(const harness::Options& options, std::string_view name, std::int64_t otherwise) {
  const auto given = options.find(name);
  if (given == options.end()) return otherwise;
  const auto value = harness::parse_number<std::int64_t>(given->second);
  constexpr std::int64_t most = 1'000'000;
  if (!value || *value < 1 || *value > most)
    throw harness::BadInput(
        fmt::format("--{}: '{}' is not a whole number from 1 to {}", name, given->second, most));
  return *value;
}

std::optional<std::int64_t> size_option(const harness::Options& options, std::string_view name) {
  const auto given = options.find(name);
  if (given == options.end()) return std::nullopt;
  return harness::parse_size(given->second, fmt::format("--{}", name));
}

void check_numbers(const harness::Options& options) {
  for (const auto* name : {"batch-size", "epochs", "log-every"}) count_option(options, name, 1);
  size_option(options, "memory");
}

}  // namespace workloads::settings
