#include "app/command_line.hpp"

#include "harness/compare/ci.hpp"
#include "harness/compare/compare.hpp"
#include "harness/core/setup.hpp"
#include "harness/programs/versus.hpp"
#include "harness/programs/watch.hpp"
#include "harness/support/child.hpp"
#include "harness/support/limits.hpp"
#include "harness/support/overwriting.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/diagnose.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fcntl.h>
#include <new>
#include <sstream>

namespace app {
namespace {

using namespace harness;

/// Where the caller has closed a standard stream, a file of ours would take its number. Reading such an input
/// and writing such an output still fail; what is said on standard error is lost.
void hold_standard_streams() {
  constexpr int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};  // by number
  for (int number = 0; number < 3; ++number)
    if (fcntl(number, F_GETFD) < 0) static_cast<void>(open("/dev/null", modes[number]));
}

/// "CUDA 13.0 for 90, LibTorch 2.11.0", or that the program has neither, after its version and commit.
std::string version_text() {
  const auto& build = build_info();
  const auto device = build.libtorch.empty() ? std::string("without CUDA and LibTorch")
                                             : fmt::format("CUDA {} for {}, LibTorch {}", build.cuda,
                                                           build.cuda_architectures, build.libtorch);
  return fmt::format("tuneproof {} ({})\n{}\n{}, {}", build.version, build.commit, device, build.compiler,
                     build.build_type);
}

/// "help run" is "run --help"; CLI11 takes the last word first. A command that is not there is an error.
std::vector<std::string> help_arguments(const CLI::App& app, std::span<char* const> words) {
  const auto named = [&](const CLI::App* command) { return command->get_name() == words.front(); };
  std::vector<std::string> arguments;
  if (words.empty() || !app.get_subcommands(named).empty()) arguments.emplace_back("--help");
  arguments.insert(arguments.end(), words.rbegin(), words.rend());
  return arguments;
}

}  // namespace

std::unique_ptr<CLI::App> command_line(std::string about, std::string examples) {
  auto app = std::make_unique<CLI::App>(std::move(about), "tuneproof");
  app->footer(std::move(examples));
  app->require_subcommand(0, 1);  // with 1, CLI11 would report a misspelled command as a missing one
  app->set_version_flag("--version", version_text(), "Print version, commit and build");
  app->formatter(help_formatter(style_of(stdout)));
  return app;
}

void add_commands(CLI::App& app, const Parts& parts, catalogue::Action& chosen) {
  trace::add_diagnose(app, parts.program, chosen);
  programs::add_watch(app, parts.program, parts.watched, chosen);
  programs::add_versus(app, build_info(), chosen);
  programs::add_tune(app, build_info(), chosen);
  compare::add_compare(app, parts.program, chosen);
  compare::add_history(app, chosen);
  compare::add_merge(app, chosen);
  compare::add_export(app, parts.program, chosen);
  pages::add_report(app, parts.program, parts.prices, chosen);
}

int run_chosen(CLI::App& app, int argc, char** argv, const catalogue::Action& chosen) {
  const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
  try {
    if (words.size() > 1 && std::string_view(words[1]) == "help")
      app.parse(help_arguments(app, words.subspan(2)));
    else
      app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    std::ostringstream text;
    const auto code = app.exit(help_or_version, text, text);
    fmt::print("{}{}", text.str(), text.str().ends_with('\n') ? "" : "\n");
    return code;
  } catch (const CLI::ParseError& error) {
    const auto sentence = usage_sentence(app, error);
    compare::report_wrong_use(words, sentence);
    tell(sentence);
    return 1;
  }
  if (!chosen) {
    tell_lines(app.help() + "\n");
    return 1;
  }
  try {
    refuse_empty_values(app, words);
  } catch (const BadInput& error) {
    compare::report_wrong_use(words, error.what());
    throw;
  }
  refuse_overwriting(app);
  return chosen();
}

int main_of(int argc, char** argv, int (*body)(int argc, char** argv)) {
  hold_standard_streams();
  // A reader that has seen enough (`tuneproof list | head -1`) ends the program quietly, whatever was
  // inherited.
  std::signal(SIGPIPE, SIG_DFL);
  try {
    take_parent(argc, argv);
    require_surroundings();
    const int code = body(argc, argv);
    require_output();
    return code;
  } catch (const std::bad_alloc&) {
    tell_no_memory();
  } catch (const std::exception& error) {
    tell(sentence_of(error));
  }
  return 1;
}

}  // namespace app
