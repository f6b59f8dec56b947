#include "workloads/settings/number_options.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

namespace workloads::settings {

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
