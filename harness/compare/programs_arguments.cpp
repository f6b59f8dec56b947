#include "harness/compare/compare_programs.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>

namespace harness::compare {
namespace {

/// CLI11's `needs` would say so too, but behind every option in the help.
void require_programs(const CLI::Option* base, const CLI::Option* head,
                      const std::vector<CLI::Option*>& own) {
  if (base->count() > 0 && head->count() > 0) return;
  const auto* missing = base->count() > 0 ? head : base;
  for (const auto* option : own)
    if (option->count() > 0) throw CLI::RequiresError(option->get_name(), missing->get_name());
}

}  // namespace

void declare(CLI::App& command, ProgramsArguments& arguments, const catalogue::Catalogue& catalogue) {
  const auto before = command.get_options().size();
  auto* base = command.add_option("--base", arguments.base, "The program to compare with: OLD/tuneproof");
  auto* head = command.add_option("--head", arguments.head, "The changed program: NEW/tuneproof");
  for (auto* program : {base, head}) program->type_name("PROGRAM");
  command
      .add_option("--suite", arguments.run.suite,
                  "Which rows of the steps; default: full if you give a PATTERN, else quick")
      ->check(CLI::IsMember(run::suite_texts()));
  run::declare_surroundings(command, arguments.run, catalogue);
  command
      .add_option("--looks", arguments.run.looks,
                  "When to judge: 1 (after 14 rounds) or 3 (after 14, 28 and 56)")
      ->check(CLI::IsMember({"1", "3"}))
      ->capture_default_str();
  takes_number(command.add_option("--pairs", arguments.run.pairs,
                                  "How often a process repeats a row; more pairs, less noise"),
               1, 64)
      ->capture_default_str();
  add_value(command, "--json", arguments.run.json, "FILE",
            "Write the comparison; - prints it to standard output");
  add_value(command, "--confirm-after", arguments.confirm_after, "TIME",
            "Wait this long before slower rows are measured again")
      ->capture_default_str();
  command
      .add_option("--count", arguments.run.count,
                  "Compare instructions, calls and bytes instead of times: no rounds, no noise")
      ->check(CLI::IsMember({"instructions"}));
  command.add_flag("--dry-run", arguments.run.dry_run, "Only print the rows and how long they should take");
  add_value(command, "--selftest", arguments.selftest, "FILE",
            "Set the margins from this self-test of the same rows (selftest 'sync/*' --json FILE)");
  command.add_flag("--no-selftest", arguments.no_selftest, "Gate without a self-test");
  auto* plant = command.add_option("--plant-head", arguments.plant_head,
                                   "Slow HEAD by PERCENT on purpose, to see your gate fail");
  takes_percent(*plant);
  plant->group("Trying the gate");
  auto own = command.get_options();
  own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(before));
  for (auto* option : own)
    if (option->get_group() == "Options") option->group("Two programs");
  command.parse_complete_callback([base, head, own] { require_programs(base, head, own); });
}

}  // namespace harness::compare
