// The command line. Links neither LibTorch nor CUDA: what needs them runs in tuneproof-worker. Serves as a
// batch-loading process too, where the batches need neither.
#include "harness/compare/compare.hpp"
#include "harness/doctor/doctor.hpp"
#include "harness/loader/batch_source.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/page/report_command.hpp"
#include "harness/profile/profile.hpp"
#include "harness/run/list.hpp"
#include "harness/run_command/run_command.hpp"
#include "harness/selftest/selftest_command.hpp"
#include "harness/simulate/simulate_command.hpp"
#include "harness/support/limits.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/usage.hpp"
#include "harness/teach/explain.hpp"
#include "harness/trace/diagnose.hpp"
#include "harness/tune/tune.hpp"
#include "harness/versus/versus.hpp"
#include "harness/watch/watch.hpp"

#include "microbench/claims.hpp"
#include "microbench/dataload/sources.hpp"
#include "prices/command.hpp"
#include "prices/curves.hpp"
#include "workloads/config_option.hpp"
#include "workloads/tunable_workloads.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/embedded.hpp"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <new>
#include <sstream>
#include <string>

namespace {

using namespace harness;

constexpr auto examples =
    "Examples:\n"
    "  tuneproof list                              all steps that you can run\n"
    "  tuneproof run 'sync/*' --json results.json  measure it on this machine\n"
    "  tuneproof watch -- python train.py          find what holds up your own training\n"
    "  tuneproof doctor                            check whether this machine is fit for measuring";

std::string version_text() {
  const auto& build = build_info();
  return fmt::format("tuneproof {} ({})\nCUDA {} for {}, LibTorch {}\n{}, {}", build.version, build.commit,
                     build.cuda, build.cuda_architectures, build.libtorch, build.compiler, build.build_type);
}

catalogue::Program load_program() {
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  catalogue::Program program{catalogue::parse_catalogue(app::embedded_catalogue()),
                             app::embedded_sources(),
                             self,
                             self.parent_path() / "tuneproof-worker",
                             microbench::claims_without_step(),
                             {workloads::resolve_options, workloads::why_not},
                             prices::step_prices(),
                             workloads::tunable_workloads(),
                             prices::machine_lines};
  for (auto& step : program.catalogue.steps)
    if (const auto own = std::ranges::find(program.sources, step.id, &catalogue::StepSource::step);
        own != program.sources.end())
      step.file = own->file;
  return program;
}

int run_program(int argc, char** argv) {
  const auto program = load_program();
  const auto watched = watch::take_command(argc, argv);
  catalogue::Action chosen;
  CLI::App app("tuneproof proves or disproves published performance advice on your machine.", "tuneproof");
  app.footer(examples);
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", version_text(), "Print version, commit and build");
  app.formatter(help_formatter(style_of(stdout)));
  run::add_list(app, program, chosen);
  teach::add_explain(app, program, chosen);
  teach::add_learn(app, program, chosen);
  run_command::add_run(app, program, build_info(), chosen);
  tune::add_tune(app, build_info(), chosen);
  profile::add_profile(app, program, chosen);
  prices::add_prices(app, program, build_info(), chosen);
  compare::add_compare(app, program, chosen);
  selftest::add_selftest(app, program, build_info(), chosen);
  compare::add_export(app, chosen);
  compare::add_history(app, chosen);
  compare::add_merge(app, chosen);
  trace::add_diagnose(app, program, chosen);
  simulate::add_simulate(app, program, chosen);
  versus::add_versus(app, build_info(), chosen);
  watch::add_watch(app, program, watched, chosen);
  page::add_report(app, program, {prices::is_price_file, prices::curves_data}, chosen);
  doctor::add_doctor(app, program, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const auto code = app.exit(help_or_version, text, text);
    fmt::print("{}{}", text.str(), text.str().ends_with('\n') ? "" : "\n");
    return code;
  } catch (const CLI::ParseError& error) {
    tell(usage_sentence(app, error));
    return 1;
  }
  if (!chosen) {
    tell_lines(app.help() + "\n");
    return 1;
  }
  return chosen();
}

/// Where the caller has closed a standard stream, a file of ours would take its number. Reading such an input
/// and writing such an output still fail; what is said on standard error is lost.
void hold_standard_streams() {
  constexpr int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};  // by number
  for (int number = 0; number < 3; ++number)
    if (fcntl(number, F_GETFD) < 0) static_cast<void>(open("/dev/null", modes[number]));
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_streams();
  // A reader that has seen enough (`tuneproof list | head -1`) ends the program quietly, whatever was
  // inherited.
  std::signal(SIGPIPE, SIG_DFL);
  int code = 1;
  try {
    require_surroundings();
    if (loader::is_loader_call(argc, argv))
      return loader::loader_main(argc, argv, microbench::loader_sources());
    code = run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("tuneproof: not enough memory; free some, or raise the limit with ulimit -v unlimited\n",
               stderr);
  } catch (const std::exception& error) {
    tell(error.what());
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("tuneproof: the output could not be written\n", stderr);
    return 1;
  }
  return code;
}
