#include "harness/support/overwriting.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace harness::inline support {
namespace {

namespace fs = std::filesystem;

constexpr std::array outputs{"json", "junit", "markdown", "html", "out", "record", "storage"};

/// A value on the command line, which may name a file.
struct Given {
  std::string option, value;
  bool is_written;
};

std::vector<Given> given_to(const CLI::App& command) {
  std::vector<Given> all;
  for (const auto* option : command.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    const bool is_written =
        std::ranges::any_of(outputs, [&](const char* name) { return option->check_lname(name); });
    for (const auto& value : option->results()) all.push_back({option->get_name(), value, is_written});
  }
  return all;
}

bool are_one_file(const Given& output, const Given& other) {
  std::error_code ignored;  // what is not there cannot be the same
  const auto& value = other.value;
  const auto file = value.substr(value.find('=') + 1);  // of "brca=cells.csv"
  if (fs::exists(output.value, ignored))
    return fs::is_regular_file(output.value, ignored) &&
           (fs::equivalent(output.value, value, ignored) || fs::equivalent(output.value, file, ignored));
  const auto place = [&](const std::string& name) {
    return fs::weakly_canonical(fs::absolute(name, ignored), ignored);
  };
  return other.is_written && place(output.value) == place(value);
}

}  // namespace

void refuse_overwriting(std::string_view option, const fs::path& output,
                        const std::vector<std::string>& inputs) {
  std::error_code ignored;
  for (const auto& input : inputs)
    if (fs::equivalent(input, output, ignored))
      throw BadInput(
          fmt::format("{} would overwrite {}, which is read; name another file", option, shown(input)));
}

void refuse_overwriting(const CLI::App& app) {
  const auto* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const auto all = given_to(*command);
  for (const auto& output : all)
    for (const auto& other : all)
      if (output.is_written && !output.value.empty() && output.value != "-" && &output != &other &&
          are_one_file(output, other))
        throw BadInput(fmt::format("{}: {} {} would overwrite {}; name another file", command->get_name(),
                                   output.option, output.value,
                                   other.is_written ? "what " + other.option + " writes" : "what is read"));
}

}  // namespace harness::inline support
