#include "harness/compare/compare.hpp"

#include "harness/compare/ci.hpp"
#include "harness/compare/compare_programs.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/exit_code.hpp"
#include "harness/compare/gbench.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace harness::compare {
namespace {

constexpr auto compare_examples =
    "Files: two runs at different times. The comparison shows what changed and only advises.\n"
    "Programs: --base and --head measure both programs together, in rounds of four processes (base,\n"
    "head, head, base or its mirror), and gate. A row fails if its optimized form is slower by more\n"
    "than its margin (3 % by CUDA events, 5 % by the host's clock, more if the self-test was noisier)\n"
    "at an error of 1 % over all rows, and a second session confirms it. Steps, LibTorch, CUDA,\n"
    "compiler and flags may differ, since they are what you compare; the build type may not.\n"
    "\n"
    "Exit code 0: compared, nothing failed. 1: wrong use, or a row failed. 2: a confirmed slowdown, or\n"
    "a count (calls, bytes) on the same data rose. 3: the two may not be compared, or a gate lacks its\n"
    "self-test. 4: only with --strict, a row is missing or more than a fifth are undecided. 77: no\n"
    "usable device. 130: stopped by Ctrl-C.\n"
    "\n"
    "Examples:\n"
    "  tuneproof compare before.json after.json\n"
    "  tuneproof compare before.json after.json --across libtorch\n"
    "  tuneproof compare --base old/tuneproof --head new/tuneproof 'sync/*' --junit report.xml\n"
    "  tuneproof compare --gbench old.json new.json      any Google Benchmark files with repetitions";

struct CompareArguments {
  std::vector<std::string> files;
  std::string across;
  bool allow_mismatch = false;
  bool gbench = false;
  bool strict = false;
  double delta = 3;  // per cent
  results::StandIn stand_in = results::StandIn::refuse;
  CiArguments ci;
  ProgramsArguments programs;
};

Across across_of(const std::string& word) {
  if (word.empty()) return Across::nothing;
  if (word == "driver") return Across::driver;
  if (word == "libtorch") return Across::libtorch;
  if (word == "cuda") return Across::cuda;
  const std::vector<std::string> known{"driver", "libtorch", "cuda"};
  throw BadInput(fmt::format("--across {}: expected one of {}", word, join_or(known)));
}

Comparison compared(const CompareArguments& arguments, const CompareRules& rules) {
  const auto& base = arguments.files[0];
  const auto& current = arguments.files[1];
  const auto stand_in = arguments.stand_in;
  if (!arguments.gbench)
    return compare_runs(read_run_file(base, stand_in), read_run_file(current, stand_in), rules);
  const auto before = parse_json(read_text(base, most_results_bytes), base);
  const auto after = parse_json(read_text(current, most_results_bytes), current);
  return compare_gbench({before, base}, {after, current}, {.delta = arguments.delta / 100}, stand_in);
}

void check(const CompareArguments& arguments) {
  if (arguments.files.size() != 2)
    throw BadInput(fmt::format(
        "compare takes two files, BASE.json and NEW.json, but {} given; see tuneproof compare --help",
        arguments.files.size() == 1 ? "1 was" : fmt::format("{} were", arguments.files.size())));
  if (arguments.gbench && (!arguments.across.empty() || arguments.allow_mismatch))
    throw BadInput(
        "--gbench: Google Benchmark files do not say what they were measured with; leave out --across and "
        "--allow-mismatch");
  if (!(arguments.delta > 0 && arguments.delta < 100))
    throw BadInput("--delta: expected a percentage above 0 and below 100");
}

int run_programs(const CompareArguments& arguments) {
  if (arguments.gbench || !arguments.across.empty() || arguments.allow_mismatch)
    throw BadInput(
        "--across, --allow-mismatch and --gbench are for files, but --base and --head name programs");
  auto programs = arguments.programs;
  programs.run.patterns = arguments.files;
  programs.stand_in = arguments.stand_in;
  return compare_programs(programs, arguments.ci, arguments.strict);
}

int run_compare(const CompareArguments& arguments) {
  if (!arguments.programs.base.empty()) return run_programs(arguments);
  check(arguments);
  const CompareRules rules{across_of(arguments.across), arguments.allow_mismatch};
  const auto comparison = compared(arguments, rules);
  if (refused(comparison, rules)) {
    fmt::print(stderr, "{}", refusal_text(comparison, style_of(stderr)));
    return refused_exit;
  }
  const CiOutput ci(arguments.ci);
  fmt::print("{}", comparison_text(comparison, style_of(stdout)));
  return ci.write(comparison_report(comparison, arguments.strict), exit_code(comparison, arguments.strict));
}

}  // namespace

void add_compare(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<CompareArguments>();
  auto* command = app.add_subcommand(
      "compare", "Show what changed between two results files or two programs, row by row");
  command->add_option("FILE", arguments->files,
                      "BASE.json and NEW.json; with --base and --head: globs over rows");
  command
      ->add_option("--across", arguments->across,
                   "Compare runs that differ in this: driver, libtorch or cuda")
      ->type_name("WHAT");
  command->add_flag("--allow-mismatch", arguments->allow_mismatch,
                    "Show the rows of different machines or software, but without verdicts");
  auto* gbench = command->add_flag("--gbench", arguments->gbench, "Compare two Google Benchmark files");
  command->add_option("--delta", arguments->delta, "With --gbench: the smallest change of interest")
      ->type_name("PERCENT")
      ->needs(gbench)
      ->capture_default_str();
  command->add_flag("--strict", arguments->strict,
                    "Exit with code 4 if rows vanished or too many are undecided");
  results::declare_stand_in(*command, arguments->stand_in);
  declare(*command, arguments->ci);
  declare(*command, arguments->programs, program.catalogue);
  command->footer(compare_examples);
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_compare(*arguments); }; });
}

}  // namespace harness::compare
