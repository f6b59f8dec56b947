#include "harness/catalogue/knob.hpp"

namespace harness::catalogue {
namespace {

bool has_value(const Settings& settings, std::string_view knob, std::string_view value) {
  const auto found = settings.find(knob);
  return found != settings.end() && found->second == value;
}

}  // namespace

std::string why_not(std::span<const Clash> clashes, const Settings& settings) {
  for (const auto& clash : clashes)
    if (has_value(settings, clash.knob, clash.value) && has_value(settings, clash.other, clash.other_value))
      return std::string(clash.reason);
  return "";
}

}  // namespace harness::catalogue
