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
#include <utility>
#include <vector>

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

/// An option and the file that it reads or writes.
struct OptionFile {
  const char* option;
  std::string file;
};

std::vector<OptionFile> read_files(const SimulateArguments& arguments) {
  std::vector<OptionFile> files{{"--from", arguments.from}, {"--host", arguments.host}};
  for (const auto& gpu : arguments.gpus) files.push_back({"--gpu", gpu});
  return files;
}

std::vector<OptionFile> written_files(const SimulateArguments& arguments) {
  std::vector<OptionFile> files{{"--record", arguments.record}};
  if (arguments.json != "-") files.push_back({"--json", arguments.json});
  if (!arguments.trace.empty())
    for (const auto form : {Form::naive, Form::optimized})
      files.push_back({"--trace", trace_file(arguments.trace, form)});
  return files;
}

/// No output may take the place of an input or of another output.
void refuse_overwriting(const SimulateArguments& arguments) {
  auto taken = read_files(arguments);
  const auto place = [](const std::string& file) { return std::filesystem::weakly_canonical(file); };
  for (const auto& written : written_files(arguments)) {
    if (written.file.empty()) continue;
    for (const auto& other : taken)
      if (!other.file.empty() && place(other.file) == place(written.file))
        throw BadInput(fmt::format("simulate: {} would overwrite {} of {}; name another file", written.option,
                                   other.file, other.option));
    taken.push_back(written);
  }
}

/// An unset variable of a shell must not lose a file that was asked for.
void refuse_empty(const CLI::App& command, const SimulateArguments& arguments) {
  const std::array given{OptionFile{"--from", arguments.from}, OptionFile{"--record", arguments.record},
                         OptionFile{"--json", arguments.json}, OptionFile{"--trace", arguments.trace},
                         OptionFile{"--host", arguments.host}, OptionFile{"--sweep", arguments.sweep}};
  for (const auto& [option, value] : given)
    if (value.empty() && is_given(command, option))
      throw BadInput(fmt::format("simulate: {} is empty; give it a value or leave it out", option));
  if (arguments.record == "-" || arguments.trace.starts_with('-'))
    throw BadInput("simulate: --record and --trace write files, whose names do not begin with '-'");
}

/// A GPU that was changed is not the one of the data sheet: " (launch=1.5, host cpp)".
std::string changes_in(const SimulateArguments& arguments) {
  auto changes = arguments.settings;
  if (!arguments.host.empty()) changes.push_back("host " + arguments.host);
  return changes.empty() ? std::string() : fmt::format(" ({})", fmt::join(changes, ", "));
}

}  // namespace

void refuse_useless(const CLI::App& command, const SimulateArguments& arguments) {
  refuse_empty(command, arguments);
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

std::string trace_file(const std::string& name, Form form) {
  return fmt::format("{}-{}.json", name, to_string(form));
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
    gpus.back().title += changes_in(arguments);
  }
  return gpus;
}

}  // namespace harness::simulate
