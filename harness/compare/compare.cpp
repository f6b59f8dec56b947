#include "harness/compare/compare.hpp"

#include "harness/compare/ci.hpp"
#include "harness/compare/compare_programs.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/compare/comparison_text.hpp"
#include "harness/compare/gbench.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/field.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::compare {
namespace {

constexpr auto compare_examples =
    "Programs: --base and --head measure both together, in rounds of four processes (base, head, head,\n"
    "base or its mirror). A row fails if its second side is slower by more than its margin (3 % by\n"
    "CUDA events, 5 % by the host's clock, more if the self-test was noisier) at an error of 1 % over\n"
    "all rows, and a second session confirms it. A busy machine saves a row only if what disturbed it,\n"
    "as measured, could have made the slowdown. On machines that others share, compare instructions:\n"
    "--count instructions.\n"
    "\n"
    "Files: two runs at different times. Times only advise, unless you add --strict.\n"
    "\n"
    "Exit code 0: compared, nothing failed. 1: wrong use, or a row failed. 2: a confirmed slowdown, or\n"
    "a count (calls, bytes, instructions) on the same data rose. 3: the two may not be compared, or a\n"
    "gate lacks its self-test. 4: not decided: no row was compared or decided, a row is missing, a row\n"
    "looks slower and nothing settles it; with --strict, more than a fifth are undecided. 77: no usable\n"
    "device. 130: stopped by Ctrl-C.\n"
    "\n"
    "Examples:\n"
    "  tuneproof compare --base old/tuneproof --head new/tuneproof 'sync/*' --count instructions\n"
    "  tuneproof compare --base old/tuneproof --head new/tuneproof 'sync/*' --junit report.xml\n"
    "  tuneproof compare before.json after.json --across libtorch\n"
    "  tuneproof compare --gbench old.json new.json      any Google Benchmark files with repetitions";

struct CompareArguments {
  std::vector<std::string> files;
  std::vector<Across> across;
  bool allow_mismatch = false;
  bool gbench = false;
  Demands demands;
  double delta = 3;  // per cent
  results::StandIn stand_in = results::StandIn::refuse;
  CiArguments ci;
  ProgramsArguments programs;
};

Comparison compared(const CompareArguments& arguments, const CompareRules& rules) {
  const auto& base = arguments.files[0];
  const auto& current = arguments.files[1];
  const auto stand_in = arguments.stand_in;
  if (!arguments.gbench) {
    const auto before = read_run_file(base, stand_in), after = read_run_file(current, stand_in);
    auto comparison = compare_runs(before, after, rules);
    comparison.one_session = before.session.id == after.session.id;
    if (comparison.one_session)  // as where a job has copied the file that it was to measure
      comparison.warnings.emplace_back(
          "BASE and NEW are one session, so nothing can have changed between them");
    return comparison;
  }
  const auto before = read_json(base, most_results_bytes);
  const auto after = read_json(current, most_results_bytes);
  return compare_gbench({before, base}, {after, current}, {.delta = arguments.delta / 100}, rules, stand_in);
}

void check(const CompareArguments& arguments) {
  if (arguments.files.size() != 2)
    throw BadInput(fmt::format(
        "compare takes two files, BASE.json and NEW.json, but {} given; see tuneproof compare --help",
        arguments.files.size() == 1 ? "1 was" : fmt::format("{} were", arguments.files.size())));
  if (!(arguments.delta > 0 && arguments.delta < 100))
    throw BadInput("--delta: expected a percentage above 0 and below 100");
}

int run_programs(const CompareArguments& arguments, const catalogue::OptionReader& reader) {
  if (arguments.gbench || arguments.allow_mismatch)
    throw BadInput("--allow-mismatch and --gbench are for files, but --base and --head name programs");
  auto programs = arguments.programs;
  programs.run.patterns = arguments.files;
  programs.stand_in = arguments.stand_in;
  programs.across = arguments.across;
  return compare_programs(programs, reader, arguments.ci, arguments.demands);
}

int compare_files(const CompareArguments& arguments, const CiOutput& ci) {
  const CompareRules rules{arguments.across, arguments.allow_mismatch};
  const auto comparison = compared(arguments, rules);
  if (refused(comparison, rules)) {
    tell_lines(refusal_text(comparison, style_of(stderr)));
    return ci.write(refusal_report(comparison)).code;
  }
  show_lines(stdout, comparison_text(comparison, style_of(stdout)));
  const auto say = [](const std::string& line) { show_lines(stdout, line + "\n"); };
  return ci.write(comparison_report(comparison, arguments.demands), say).code;
}

int run_compare(const CompareArguments& arguments, const catalogue::OptionReader& reader) {
  if (!arguments.programs.base.empty()) return run_programs(arguments, reader);
  const CiOutput ci(arguments.ci);
  const auto title = fmt::format("tuneproof compare {}", fmt::join(arguments.files, " "));
  ci.announce(title);
  return ci.guard(title, [&] {
    check(arguments);
    return compare_files(arguments, ci);
  });
}

}  // namespace

void add_compare(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<CompareArguments>();
  auto* command = app.add_subcommand(
      "compare", "Show what changed between two results files or two programs, row by row");
  command->add_option("FILE", arguments->files,
                      "BASE.json and NEW.json; with --base and --head: globs over rows");
  declare(*command, arguments->across);
  command->add_flag("--allow-mismatch", arguments->allow_mismatch,
                    "Show the rows of different machines or software, but without verdicts");
  auto* gbench = command->add_flag("--gbench", arguments->gbench, "Compare two Google Benchmark files");
  auto* delta =
      command->add_option("--delta", arguments->delta, "With --gbench: the smallest change of interest");
  takes_percent(*delta);
  delta->needs(gbench)->capture_default_str();
  command->add_flag("--strict", arguments->demands.strict,
                    "Also fail on advice, and if more than a fifth of the rows are undecided");
  command->add_flag("--allow-missing", arguments->demands.allow_missing,
                    "Let rows pass that only BASE has or can run");
  results::declare_stand_in(*command, arguments->stand_in);
  declare(*command, arguments->ci);
  declare(*command, arguments->programs, program.catalogue);
  command->footer(compare_examples);
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] { return run_compare(*arguments, program.options); };
  });
}

}  // namespace harness::compare
