#include "harness/programs/watch.hpp"

#include "harness/core/setup.hpp"
#include "harness/programs/announcer.hpp"
#include "harness/programs/conclusion.hpp"
#include "harness/programs/recorder.hpp"
#include "harness/programs/watched_program.hpp"
#include "harness/support/terminal.hpp"
#include "harness/trace/intern.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

namespace harness::programs {
namespace {

constexpr std::chrono::milliseconds between_looks{500};
constexpr int not_found_exit = 127;  // as of a shell, of env, of timeout
constexpr int not_started_exit = 126;

struct Watched {
  Exit exit;
  Notes notes;
};

/// Runs the program to its end. The recorder's folders go while signals are still held: none is to end us
/// before.
Watched run_watched(std::optional<Recorder>& recorder, const WatchedCommand& command) {
  const char* ours = std::getenv("PYTHONPATH");  // NOLINT(concurrency-mt-unsafe): one thread
  WatchedProgram program(command, python_path(recorder->folder(), ours));
  Announcer announcer;
  for (;;) {
    const auto exit = program.wait(between_looks);
    auto notes = recorder->notes();
    for (const auto& sentence : announcer.news(notes, unix_seconds())) tell(sentence);
    if (!exit) continue;
    recorder.reset();
    return {*exit, std::move(notes)};
  }
}

int watch(const WatchArguments& arguments, const WatchedCommand& command, const catalogue::Program& program) {
  check(arguments, command);
  const Conclusion conclusion(arguments, command, program);
  std::optional<Recorder> recorder(std::in_place, recording_of(arguments), arguments.out);
  Watched watched;
  try {
    watched = run_watched(recorder, command);
  } catch (const std::system_error& error) {
    // A script whose interpreter is missing ends with ENOENT, too.
    const bool found = error.code().value() != ENOENT || std::filesystem::is_regular_file(command.front());
    tell(fmt::format("{}: {}", command.front(),
                     found ? "cannot be started: " + error.code().message() : "command not found"));
    return found ? not_started_exit : not_found_exit;
  }
  try {
    conclusion.say(watched.notes);
  } catch (const std::exception& error) {
    tell(error.what());  // the program's exit code says how the program fared, and nothing else
  }
  return end_like(watched.exit);
}

}  // namespace

WatchedCommand take_command(int& argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "watch") return {};
  char** const end = argv + argc;
  char** const dashes =
      std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  argc = static_cast<int>(dashes - argv);
  return dashes == end ? WatchedCommand{} : WatchedCommand(dashes + 1, end);
}

void add_watch(CLI::App& app, const catalogue::Program& program, const WatchedCommand& command,
               catalogue::Action& chosen) {
  const auto arguments = std::make_shared<WatchArguments>();
  auto* declared = app.add_subcommand(
      "watch", "Record some steps of your own training, unchanged, and show what holds it up");
  declare(*declared, *arguments);
  catalogue::choose_by(*declared, chosen,
                       [arguments, &program, &command] { return watch(*arguments, command, program); });
}

}  // namespace harness::programs
