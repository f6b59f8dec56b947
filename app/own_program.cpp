#include "app/own_program.hpp"

#include "harness/catalogue/program.hpp"
#include "harness/compare/compare.hpp"
#include "harness/core/setup.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/program_commit.hpp"
#include "harness/pages/report.hpp"
#include "harness/run/list.hpp"
#include "harness/run/run_command.hpp"
#include "harness/support/limits.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/worker/worker_modes.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <new>
#include <sstream>

namespace app {

using namespace harness;

namespace {

std::filesystem::path own_file() { return std::filesystem::read_symlink("/proc/self/exe"); }

/// This build, with the commit of the user's program instead of the library's. The build type is the user's
/// where that is no Release, else the library's.
BuildInfo info_at(const std::string& commit, const OwnProgram& own) {
  auto info = build_info();
  info.commit = commit;
  if (own.build_type != "Release") info.build_type = own.build_type;
  return info;
}

/// The exit code of a worker's mode; nothing where a user has called.
std::optional<int> worker_mode(const worker::Ground& ground, int argc, char** argv, Steps steps,
                               const OwnProgram& own) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  worker::die_with_parent(argc, argv);
  if (mode == "--measure") return worker::measure_mode(steps, ground);
  if (mode == "--probe") {
    const auto commit = program_commit(own_file().parent_path());
    return worker::probe_mode(parse_device(argc > 2 ? argv[2] : "cuda:0"), info_at(commit, own), ground);
  }
  if (mode == "--catalogue") return std::puts(catalogue::catalogue_json(steps, {}).c_str()) < 0 ? 1 : 0;
  return std::nullopt;
}

catalogue::Program program_of(Steps steps, const std::filesystem::path& worker) {
  const auto self = own_file();
  return {.catalogue = catalogue::catalogue_of(steps, {}),
          .sources = {},
          .self = self,
          .worker = worker.empty() ? self : worker};
}

/// What needs the price list or the profiler, which only tuneproof has.
void leave_out(CLI::App& run) {
  for (const auto* name : {"--profile", "--profile-schedule", "--profile-out", "--leave-one-out"})
    run.remove_option(run.get_option(name));
}

/// As it was called.
std::string name_of(int argc, char** argv) {
  return argc > 0 ? std::filesystem::path(argv[0]).filename().string() : "tuneproof";
}

int run_commands(int argc, char** argv, const catalogue::Program& program, const OwnProgram& own) {
  catalogue::Action chosen;
  CLI::App app("Tips of your own, measured and judged by tuneproof.", name_of(argc, argv));
  app.require_subcommand(0, 1);  // with 1, CLI11 would report a misspelled command as a missing one
  app.formatter(help_formatter(style_of(stdout)));
  run::add_list(app, program, chosen);
  std::string commit;
  auto info = build_info();
  run::add_run(app, program, info, chosen);
  app.get_subcommand("run")
      ->add_option("--commit", commit, "The commit of your program; default: that of git, else of the CI job")
      ->type_name("TEXT");
  compare::add_compare(app, program, chosen);
  const pages::PricePage no_prices{[](const Json&) { return false; }, [](const Field&) { return Json(); }};
  pages::add_report(app, program, no_prices, chosen);
  leave_out(*app.get_subcommand("run"));
  for (auto* command : app.get_subcommands({})) command->footer("");  // examples of tuneproof's own steps
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    std::ostringstream text;
    const auto code = app.exit(help, text, text);
    fmt::print("{}", text.str());
    return code;
  } catch (const CLI::ParseError& error) {
    tell_lines(fmt::format("{}: {}\n", app.get_name(), printable(usage_sentence(app, error))));
    return 1;
  }
  // What a worker of its own measures, such as functions of Python, lies in the current folder.
  const bool own_worker = program.worker == program.self;
  if (commit.empty())
    commit = program_commit(own_worker ? program.self.parent_path() : std::filesystem::current_path());
  info = info_at(commit, own);
  if (!chosen) throw BadInput("a command is expected: list, run, compare or report");
  refuse_empty_values(app, std::span(argv, static_cast<std::size_t>(argc)));
  refuse_overwriting(app);
  return chosen();
}

}  // namespace

int program_on(const worker::Ground& ground, int argc, char** argv, Steps steps, const OwnProgram& own) {
  std::signal(SIGPIPE, SIG_DFL);
  try {
    require_surroundings();
    if (const auto done = worker_mode(ground, argc, argv, steps, own)) return *done;
    const int code = run_commands(argc, argv, program_of(steps, own.worker), own);
    require_output();
    return code;
  } catch (const std::bad_alloc&) {
    tell_no_memory();
  } catch (const std::exception& error) {
    tell_lines(fmt::format("{}: {}\n", name_of(argc, argv), printable(sentence_of(error))));
  }
  return 1;
}

}  // namespace app
