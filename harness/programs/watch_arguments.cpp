#include "harness/programs/watch_arguments.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::programs {
namespace {

constexpr std::int64_t most_steps = 1'000'000;
constexpr std::int64_t least_skip = 2;  // the first begins unseen, the next one warms the profiler up

constexpr auto footer =
    "The program runs unchanged: its output, arguments, signals and exit code are its own, and what\n"
    "tuneproof says goes to standard error. A step ends where an optimizer has stepped, or, without an\n"
    "optimizer, where a DataLoader is asked for a batch, or else where a backward pass has ended.\n"
    "docs/watch.md says what this costs.\n"
    "\n"
    "Exit code: the program's; 1 for wrong use; 127 if the command does not exist, 126 if it cannot\n"
    "be started.\n"
    "\n"
    "Examples:\n"
    "  tuneproof watch -- python train.py --epochs 3\n"
    "  tuneproof watch --at 10m --shapes --html page.html -- uv run train.py\n"
    "  tuneproof watch -o ranks -- torchrun --nproc-per-node 4 train.py\n"
    "  tuneproof watch --against traces -- python train.py     after a change: what changed";

std::optional<double> seconds(const std::string& text, const std::string& option) {
  if (text.empty()) return std::nullopt;
  return parse_duration(text, option).time.count();
}

}  // namespace

void declare(CLI::App& command, WatchArguments& arguments) {
  command.add_option("COMMAND", arguments.stray, "After --: the program and its arguments");
  takes_number(command.add_option("--steps", arguments.recording.steps, "Number of steps to record"), 1,
               most_steps)
      ->type_name("N")
      ->capture_default_str();
  takes_number(
      command.add_option(
          "--skip", arguments.recording.skip,
          "Number of steps to skip first; default: until the medians of two groups of five steps agree "
          "within 10 %, at most 50 steps or two minutes; a shorter program is diagnosed by its first steps"),
      least_skip, most_steps)
      ->type_name("N");
  add_value(command, "--at", arguments.at, "TIME",
            "Delay after the start, instead of --skip: 90s, 2m, 1h30m");
  add_value(command, "--every", arguments.every, "TIME", "Record again this long after each recording began");
  command.add_flag("--shapes", arguments.recording.shapes,
                   "Record input shapes: arithmetic and bytes can be counted");
  command.add_flag("--memory", arguments.recording.memory, "Record allocations");
  command.add_flag("--stacks", arguments.recording.stacks,
                   "Record Python's calls: findings name file and function; costs most");
  add_value(command, "-o,--out", arguments.out, "FOLDER", "Folder for the traces")->capture_default_str();
  add_value(command, "--json", arguments.json, "FILE",
            "The diagnosis as JSON, as `diagnose --json` writes it");
  add_value(command, "--html", arguments.html, "FILE", "The diagnosis as a page, as `report` writes it");
  add_value(command, "--against", arguments.against, "TRACE",
            "Compare with an earlier trace; of a folder, its latest");
  add_value(command, "--evidence", arguments.evidence, "PATH",
            "Show what the tips were worth in these results files, or folders of them");
  command.add_flag(
      "--measure", arguments.measure,
      "Once the program has ended, measure the tips that no --evidence has, of each the row that "
      "resembles the program");
  add_value(command, "--within", arguments.within, "TIME", "Time that --measure may take")
      ->capture_default_str();
  command.footer(footer);
}

Recording recording_of(const WatchArguments& arguments) {
  auto recording = arguments.recording;
  recording.after = seconds(arguments.at, "--at");
  recording.every = seconds(arguments.every, "--every");
  return recording;
}

void check(const WatchArguments& arguments, const WatchedCommand& command) {
  if (!arguments.stray.empty())
    throw BadInput(fmt::format("watch: `--` belongs before the command: tuneproof watch -- {} ...",
                               arguments.stray.front()));
  if (command.empty()) throw BadInput("watch: a command is expected: tuneproof watch -- python train.py");
  if (arguments.recording.skip && !arguments.at.empty())
    throw BadInput("watch: --skip and --at both say when the recording begins; give one");
  parse_duration(arguments.within, "--within");
  for (const auto& [file, option] :
       {std::pair{&arguments.json, "--json"}, std::pair{&arguments.html, "--html"}})
    if (*file == "-")
      throw BadInput(fmt::format("watch: {} -: standard output is the program's; name a file", option));
}

}  // namespace harness::programs
