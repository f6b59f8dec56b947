#include "harness/support/json_members.hpp"

#include <limits>

namespace harness::inline support {

Json json_of(const std::vector<double>& values) {
  auto json = Json::array();
  for (const auto value : values) json.push_back(finite(value));
  return json;
}

void read_into(std::vector<int>& values, const Field& field) {
  using Limits = std::numeric_limits<int>;
  for (const auto& entry : field.entries())
    values.push_back(static_cast<int>(entry.integer(Limits::min(), Limits::max())));
}

void read_into(Options& options, const Field& field) {
  for (const auto& [name, value] : field.members()) options[name] = value.text();
}

Device device_from(const Field& field) {
  try {
    return parse_device(field.text());
  } catch (const std::invalid_argument& error) {
    field.reject(error.what());
  }
}

}  // namespace harness::inline support
