#include "harness/profile/profile.hpp"
#include "harness/support/near_miss.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::profile {
namespace {

constexpr auto footer =
    "profile takes the first quick row of a step; choose another with the row's full name or\n"
    "--point. Traces open in TensorBoard's profiler plugin, HTA and `tuneproof diagnose`. profile\n"
    "never overwrites a trace.\n"
    "\n"
    "Examples:\n"
    "  tuneproof profile stgym/end_to_end --schedule wait=1,warmup=2,active=5\n"
    "  tuneproof profile stgym/device_indices --form naive --device cpu -- --scale 0.002\n"
    "  tuneproof profile sync/item_every_step --point n=1024 --out traces";

/// The name without its dashes; throws BadInput where no workload has such an option.
std::string known_option(const std::string& word, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> known;
  for (const auto& option : catalogue.options)
    known.push_back(fmt::format("--{}", run::option_name(option.name)));
  for (const auto& name : known)
    if (name == word) return name.substr(2);
  throw BadInput(fmt::format("'{}' is not an option of a workload{}", word, did_you_mean(word, known)));
}

}  // namespace

void declare(CLI::App& command, ProfileArguments& arguments, const catalogue::Catalogue& catalogue) {
  command.add_option("WORKLOAD", arguments.workload, "A step, or the name of one of its rows")->required();
  command.add_option("WORKLOAD_OPTIONS", arguments.rest, "After --: the options listed under Workloads");
  command.add_option("--form", arguments.form, "Which form to profile")
      ->check(CLI::IsMember({"naive", "optimized", "both"}))
      ->capture_default_str();
  command
      .add_option("--schedule", arguments.schedule,
                  "How many runs to skip, to warm up and to record, and how often; default: " +
                      results::to_string(results::Schedule{}))
      ->type_name("PARTS");
  command.add_option("--out", arguments.out, "Folder for the traces")
      ->type_name("DIR")
      ->capture_default_str();
  command.add_option("--top", arguments.top, "Rows of each table")
      ->type_name("N")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();
  run::declare_surroundings(command, arguments.run, catalogue);
  command.footer(footer);
}

void take_rest(ProfileArguments& arguments, const catalogue::Catalogue& catalogue) {
  const auto& rest = arguments.rest;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto equals = rest[i].find('=');
    const auto name = known_option(rest[i].substr(0, equals), catalogue);
    if (equals == std::string::npos && i + 1 == rest.size())
      throw BadInput(fmt::format("'{}' needs a value", rest[i]));
    arguments.run.options[name] = equals == std::string::npos ? rest[++i] : rest[i].substr(equals + 1);
  }
}

std::vector<Form> forms_of(const ProfileArguments& arguments) {
  if (arguments.form == "naive") return {Form::naive};
  if (arguments.form == "optimized") return {Form::optimized};
  return {Form::naive, Form::optimized};
}

}  // namespace harness::profile
