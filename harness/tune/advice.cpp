#include "harness/tune/advice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace harness::tune {
namespace {

std::string code_of(const catalogue::Knob& knob, const std::string& value) {
  const auto at = static_cast<std::size_t>(std::ranges::find(knob.values, value) - knob.values.begin());
  return at < knob.in_code.size() ? knob.in_code[at] : "";
}

}  // namespace

std::vector<std::string> in_own_code(const Plan& plan, const Settings& settings) {
  std::vector<std::string> lines;
  const auto standard = standard_of(plan);
  for (const auto& knob : plan.knobs) {
    const auto& value = settings.at(knob.name);
    if (value == standard.at(knob.name)) continue;
    const auto code = code_of(knob, value);
    lines.push_back(fmt::format("{} {}{}{}", knob.name, value, code.empty() ? "" : ": ", code));
  }
  return lines;
}

Json settings_file(const Plan& plan, const Settings& settings) {
  Json file{{"schema", catalogue::settings_schema},
            {"workload", plan.workload.workload},
            {"knobs", settings_to_json(settings)}};
  if (!plan.options.empty()) file["options"] = settings_to_json(plan.options);
  return file;
}

}  // namespace harness::tune
