#include "harness/simulate/options.hpp"

#include "harness/core/setup.hpp"
#include "harness/simulate/host.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace harness::simulate {
namespace {

/// `given` makes what stands in `useless` say nothing.
struct Alone {
  const char* given;
  const char* why;
  std::array<const char*, 14> useless;  // filled up with null
};

constexpr std::array alone{
    Alone{"--published",
          "compares the model with published figures, each on its own GPU",
          {"STEPS", "--gpu", "--from", "--record", "--set", "--host", "--scales", "--sweep", "--suite",
           "--timeout", "--point", "--json", "--trace", "--lines"}},
    Alone{"--from",
          "has its rows already, and they are recorded",
          {"STEPS", "--suite", "--point", "--record", "--scales", "--timeout"}},
    Alone{"--sweep", "prints one table", {"--json", "--trace", "--lines"}},
};

bool is_given(const CLI::App& command, const char* option) { return command.get_option(option)->count() > 0; }

void refuse_beside(const CLI::App& command, const Alone& rule) {
  if (!is_given(command, rule.given)) return;
  for (const auto* useless : rule.useless)
    if (useless != nullptr && is_given(command, useless))
      throw BadInput(fmt::format("simulate: {} {}; leave out {}", rule.given, rule.why, useless));
}

/// "launch" of "launch=1.5".
std::string_view name_in(std::string_view setting) { return setting.substr(0, setting.find('=')); }

/// A prediction must not take the place of the calls that it was made from.
void refuse_overwriting(const SimulateArguments& arguments) {
  const auto place = [](const std::string& file) { return std::filesystem::weakly_canonical(file); };
  for (const auto& calls : {arguments.from, arguments.record})
    if (!calls.empty() && !arguments.json.empty() && place(calls) == place(arguments.json))
      throw BadInput(
          fmt::format("simulate: --json would overwrite the recording {}; name another file", calls));
}

}  // namespace

void refuse_useless(const CLI::App& command, const SimulateArguments& arguments) {
  for (const auto& rule : alone) refuse_beside(command, rule);
  refuse_overwriting(arguments);
  if (arguments.json == "-" && arguments.lines)
    throw BadInput("simulate: --json - prints JSON and nothing else; leave out --lines");
  if (!arguments.trace.empty() && arguments.gpus.size() > 1)
    throw BadInput("simulate: --trace shows one row on one GPU; give one with --gpu");
  for (const auto& setting : arguments.settings)
    if (!arguments.sweep.empty() && name_in(setting) == name_in(arguments.sweep))
      throw BadInput(
          fmt::format("simulate: --sweep changes {} itself; leave out --set {}", name_in(setting), setting));
}

void require_rows_and_gpu(const SimulateArguments& arguments) {
  if (arguments.gpus.empty())
    throw BadInput(
        fmt::format("simulate: which GPU? Give --gpu NAME; known are {}", fmt::join(gpu_names(), ", ")));
  if (arguments.from.empty() && arguments.run.patterns.empty() && arguments.run.suite.empty())
    throw BadInput("simulate: which rows? Name steps, a suite, or a recording with --from FILE");
}

std::vector<Gpu> chosen_gpus(const SimulateArguments& arguments) {
  std::set<std::string_view> changed;
  for (const auto& setting : arguments.settings)
    if (!changed.insert(name_in(setting)).second)
      throw BadInput(fmt::format("simulate: --set changes {} twice; give one of them", name_in(setting)));
  std::set<std::string_view> named;
  std::vector<Gpu> gpus;
  for (const auto& name : arguments.gpus) {
    if (!named.insert(name).second) throw BadInput(fmt::format("simulate: --gpu {} is given twice", name));
    gpus.push_back(find_gpu(name));
    if (!arguments.host.empty()) set_host(gpus.back(), arguments.host);
    for (const auto& setting : arguments.settings) set_value(gpus.back(), setting);
  }
  return gpus;
}

}  // namespace harness::simulate
