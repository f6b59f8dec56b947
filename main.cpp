// The command line. Links neither LibTorch nor CUDA: what needs them runs in tuneproof-worker. Serves as a
// batch-loading process too, where the batches need neither.
#include "harness/cli/compare.hpp"
#include "harness/cli/diagnose.hpp"
#include "harness/cli/doctor.hpp"
#include "harness/cli/embedded.hpp"
#include "harness/cli/explain.hpp"
#include "harness/cli/history.hpp"
#include "harness/cli/learn.hpp"
#include "harness/cli/list.hpp"
#include "harness/cli/merge.hpp"
#include "harness/cli/profile.hpp"
#include "harness/cli/report.hpp"
#include "harness/cli/run.hpp"
#include "harness/cli/scorecard.hpp"
#include "harness/cli/selftest.hpp"
#include "harness/cli/usage.hpp"
#include "harness/loader/batch_source.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/report/terminal.hpp"
#include "harness/trace/intern.hpp"

#include "microbench/claims.hpp"
#include "microbench/dataload/sources.hpp"
#include "prices/command.hpp"
#include "prices/curves.hpp"
#include "prices/of_steps.hpp"
#include "workloads/stgym/space/config_option.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>

namespace {

using namespace harness;

constexpr auto examples =
    "Examples:\n"
    "  tuneproof list                              what can be put to the test\n"
    "  tuneproof explain sync/item_every_step      one tip: why it works, when not, the code\n"
    "  tuneproof run 'sync/*' --json results.json  measure it here\n"
    "  tuneproof doctor                            is this machine fit to measure on";

std::string version_text() {
  const auto& build = build_info();
  return fmt::format("tuneproof {} ({})\nCUDA {} for {}, LibTorch {}\n{}, {}", build.version, build.commit,
                     build.cuda, build.cuda_architectures, build.libtorch, build.compiler, build.build_type);
}

Program load_program() {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  Program program{parse_catalogue(embedded_catalogue()),
                  embedded_sources(),
                  self,
                  self.parent_path() / "tuneproof-worker",
                  microbench::claims_without_step(),
                  {workloads::stgym::space::resolve_config, workloads::stgym::space::why_not},
                  prices::step_prices()};
  for (auto& step : program.catalogue.steps)
    if (const auto own = std::ranges::find(program.sources, step.id, &StepSource::step);
        own != program.sources.end())
      step.file = own->file;
  return program;
}

int run_program(int argc, char** argv) {
  const auto program = load_program();
  Action chosen;
  CLI::App app("tuneproof proves or disproves published performance advice on this machine.", "tuneproof");
  app.footer(examples);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", version_text(), "Version, commit, and what it was built with");
  app.formatter(help_formatter(style_of(stdout)));
  add_list(app, program, chosen);
  add_explain(app, program, chosen);
  add_learn(app, program, chosen);
  add_run(app, program, build_info(), chosen);
  add_profile(app, program, chosen);
  prices::add_prices(app, program, build_info(), chosen);
  add_compare(app, program, chosen);
  add_scorecard(app, chosen);
  add_selftest(app, program, build_info(), chosen);
  add_export(app, chosen);
  add_history(app, chosen);
  add_merge(app, chosen);
  add_diagnose(app, program, chosen);
  add_report(app, program, {prices::is_price_file, prices::curves_data}, chosen);
  add_doctor(app, program, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const auto code = app.exit(help_or_version, text, text);
    fmt::print("{}{}", text.str(), text.str().ends_with('\n') ? "" : "\n");
    return code;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "tuneproof: {}\n", usage_sentence(app, error));
    return 1;
  }
  if (!chosen) {
    fmt::print(stderr, "{}\n", app.help());
    return 1;
  }
  return chosen();
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that has seen enough (`tuneproof list | head -1`) ends the program quietly, whatever was
  // inherited.
  std::signal(SIGPIPE, SIG_DFL);
  int code = 1;
  try {
    if (is_loader_call(argc, argv)) return loader_main(argc, argv, microbench::loader_sources());
    code = run_program(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "tuneproof: {}\n", harness::printable(error.what()));
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("tuneproof: the output could not be written\n", stderr);
    return 1;
  }
  return code;
}
