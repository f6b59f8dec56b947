#include "workloads/config_option.hpp"

#include "harness/support/read_text.hpp"

#include "workloads/settings/train_settings.hpp"
#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/space/data_option.hpp"

#include <fmt/format.h>

namespace workloads {
namespace {

using harness::Options;

void check_options(const Options& options) {
  settings::check_numbers(options);
  stgym::space::scale_option(options);
  if (const auto data = stgym::space::data_option(options); !data.file.empty())
    harness::require_regular_file(data.file);
  if (const auto text = options.find("text"); text != options.end()) harness::require_file(text->second);
  if (options.contains("graph") && options.contains("scale"))
    throw harness::BadInput("--scale: you can scale only the drawn graph, not the one in a folder");
  for (const auto* name : {"images", "cifar10", "graph"})
    if (const auto given = options.find(name); given != options.end()) harness::require_folder(given->second);
}

}  // namespace

void resolve_options(Options& options) {
  check_options(options);
  if (const auto given = options.find("scale"); given != options.end())
    given->second = fmt::to_string(stgym::space::scale_option(options));  // "1/8" is 0.125
  stgym::space::resolve_config(options);
}

std::string why_not(const Options& options, std::string_view step) {
  return stgym::space::why_not(options, step);
}

}  // namespace workloads
