#include "workloads/config_option.hpp"

#include "harness/catalogue/knob.hpp"
#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"

#include "workloads/stgym/space/config_option.hpp"
#include "workloads/stgym/space/data_option.hpp"
#include "workloads/tunable_workloads.hpp"
#include "workloads/tuning/number_options.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>

namespace workloads {
namespace {

using harness::BadInput;
using harness::Field;
using harness::Json;
using harness::Options;

constexpr auto config = "config";
constexpr std::uint64_t most_file_bytes = 1 << 20;
const std::string settings_name(harness::catalogue::settings_option);

std::string_view workload_of(std::string_view step) { return step.substr(0, step.find('/')); }

bool is_tuned(std::string_view step) { return step.ends_with("/tuned"); }

/// The document of a file of settings; nothing for any other text.
std::optional<Json> settings_file(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return {};
  const auto text = harness::read_text(file, most_file_bytes);
  if (text.find(harness::catalogue::settings_schema) == std::string::npos) return {};
  return harness::parse_json(text, file);
}

/// With the configuration that they were found for, where the file has one.
void take_settings(Options& options, const std::string& file, const Json& document) {
  const Field root(document, file);
  const auto workload = root["workload"].text();
  const auto* const known = tunable_workload(workload);
  if (known == nullptr) root["workload"].reject(fmt::format("'{:.40}' cannot be tuned", workload));
  for (const auto& [name, value] : root["knobs"].members()) static_cast<void>(value.text());
  options[settings_name] =
      Json{{"workload", workload}, {"settings", Json::array({document.at("knobs")})}}.dump();
  options.erase(config);
  if (const auto given = root.find("options"))
    for (const auto& [name, value] : given->members()) options.try_emplace(name, value.text());
}

void check_options(const Options& options) {
  tuning::check_numbers(options);
  stgym::space::scale_option(options);
  if (const auto data = stgym::space::data_option(options); !data.file.empty())
    harness::require_regular_file(data.file);
  if (const auto text = options.find("text"); text != options.end()) harness::require_file(text->second);
  for (const auto* name : {"images", "cifar10"})
    if (const auto given = options.find(name); given != options.end()) harness::require_folder(given->second);
}

}  // namespace

void resolve_options(Options& options) {
  check_options(options);
  const auto given = options.find(config);
  if (given != options.end()) {
    const auto file = given->second;
    if (const auto document = settings_file(file)) take_settings(options, file, *document);
  }
  stgym::space::resolve_config(options);
}

std::string why_not(const Options& options, std::string_view step) {
  if (!is_tuned(step)) return stgym::space::why_not(options, step);
  const auto given = options.find(settings_name);
  const auto workload = workload_of(step);
  const auto advice = fmt::format(
      R"(--config FILE takes them: {{"schema": "{}", "workload": "{}", "knobs": {{"batch_size": "16"}}}})",
      harness::catalogue::settings_schema, workload);
  if (given == options.end()) return "no settings were given; " + advice;
  const auto document = harness::parse_json(given->second, settings_name);
  const auto whose = Field(document, settings_name)["workload"].text();
  return whose == workload ? "" : fmt::format("the settings of --config are {}'s; {}", whose, advice);
}

}  // namespace workloads
