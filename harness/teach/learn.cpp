#include "harness/results/stand_in_option.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/shown.hpp"
#include "harness/support/terminal.hpp"
#include "harness/teach/course.hpp"
#include "harness/teach/explain.hpp"
#include "harness/teach/workbench.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <stdio_ext.h>
#include <utility>

namespace harness::teach {
namespace {

constexpr int interrupted_exit_code = 130;

struct LearnArguments {
  std::string unit;
  std::string progress;
  std::vector<std::string> results;
  std::vector<std::string> prices;
  bool list = false;
  bool restart = false;
  results::StandIn stand_in = results::StandIn::refuse;
};

constexpr auto welcome =
    "A course in four phases: instrument, feed, speed up the step, apply. Each unit asks for a\n"
    "prediction and then measures this machine. Type skip to leave out a unit, quit to stop. Your\n"
    "progress is kept in {}\n";

/// The reader has closed the output.
struct Unheard {};

/// The unit that was named, in full ("34_precision"), by its number or by its word; empty where none was.
std::string name_of_unit(const std::vector<CourseUnit>& units, const std::string& name) {
  if (name.empty()) return name;
  std::vector<std::string> names;
  for (const auto& unit : units) {
    if (unit.name == name || unit.name == number_of(unit) + "_" + name || number_of(unit) == name)
      return unit.name;
    names.push_back(unit.name);
  }
  const auto near = did_you_mean(name, names);
  throw BadInput(fmt::format("the course has no unit '{}'{}", name,
                             near.empty() ? "; run 'tuneproof learn --list' to see them" : near));
}

void say(std::string_view given) {
  const auto text = printable_lines(given);
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (written && std::fflush(stdout) == 0) return;  // a question must be seen to be answered
  const int error = errno;
  __fpurge(stdout);  // else the same bytes fail once more when the program ends
  if (error == EPIPE) throw Unheard{};
  throw std::runtime_error("the output could not be written");
}

/// The number of the first open unit behind the one of that name, or else before it; empty: none is open.
std::string next_open(const std::vector<CourseUnit>& units, const CourseProgress& progress,
                      const std::string& name) {
  std::string first;
  for (const auto& unit : units) {
    if (progress.find(unit.name) != nullptr || unit.name == name) continue;
    if (unit.name > name) return number_of(unit);
    if (first.empty()) first = number_of(unit);
  }
  return first;
}

bool all_done(const std::vector<CourseUnit>& units, const CourseProgress& progress) {
  return std::ranges::all_of(units,
                             [&](const CourseUnit& unit) { return progress.find(unit.name) != nullptr; });
}

/// The exit code. Interrupted is passed on.
int teach(Course& lessons, const std::vector<CourseUnit>& units, const CourseProgress& progress,
          const std::string& unit) {
  const bool ended = lessons.teach(unit);
  say(fmt::format("\n{}", lessons.summary()));
  if (!ended)
    say("Run tuneproof learn to continue where you left off, tuneproof learn --list to see all units.\n");
  else if (const auto next = next_open(units, progress, unit); !unit.empty() && !next.empty())
    say(fmt::format("Next: tuneproof learn {}\n", next));
  else if (all_done(units, progress))
    say("No unit is open. Name a unit to repeat it, or start over with --restart.\n");
  return 0;
}

int learn_with(const catalogue::Program& program, const LearnArguments& arguments, CourseProgress& progress,
               const std::vector<CourseUnit>& units, const std::string& unit) {
  Console console;
  const auto& file = progress.file();
  Workbench bench(program, console, file.parent_path() / (file.stem().string() + "-files"), say,
                  arguments.stand_in);
  for (const auto& results : arguments.results) bench.use_results(results);
  for (const auto& prices : arguments.prices) bench.use_prices(prices);
  Course lessons(units, progress, {[&] { return console.line(); }, say},
                 {[&](const CourseUnit& asked) { return bench.truth(asked); },
                  [&](const CourseUnit& asked) { return bench.show(asked); },
                  [&](const CourseUnit& asked) { return bench.command(asked); }},
                 style_of(stdout));
  if (arguments.list) {
    say(lessons.table());
    return 0;
  }
  say(fmt::format(welcome, file.string()));
  try {
    return teach(lessons, units, progress, unit);
  } catch (const Interrupted&) {
    say(fmt::format("\nStopped; your progress is kept in {}\n", file.string()));
    return interrupted_exit_code;
  }
}

int run_learn(const catalogue::Program& program, const LearnArguments& arguments) {
  const auto units = course();
  const auto unit = name_of_unit(units, arguments.unit);
  const std::filesystem::path named = arguments.progress;
  CourseProgress progress(named.empty() ? CourseProgress::usual_file() : named);
  if (arguments.restart) progress.forget();
  try {
    return learn_with(program, arguments, progress, units, unit);
  } catch (const Unheard&) {
    return 0;
  }
}

}  // namespace

void add_learn(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<LearnArguments>();
  auto* command = app.add_subcommand("learn", "Take a course: predict, measure here, see why");
  command->add_option("UNIT", arguments->unit,
                      "Take only this unit, by its name or number; default: all open units");
  auto* list = command->add_flag("--list", arguments->list, "List the units and your progress");
  command->add_flag("--restart", arguments->restart, "Start over: forget your progress")->excludes(list);
  command
      ->add_option("--progress", arguments->progress,
                   "Keep your progress in FILE; default: in your state folder")
      ->type_name("FILE");
  command
      ->add_option("--results", arguments->results,
                   "Take rows from these files (run --json) instead of measuring")
      ->type_name("FILE");
  command->add_option("--prices", arguments->prices, "Take prices from these files (prices --benchmark_out)")
      ->type_name("FILE");
  results::declare_stand_in(*command, arguments->stand_in);
  command->footer(
      "The course needs no GPU. Units about a device's profile use made-up traces and say so.\n"
      "\n"
      "Examples:\n"
      "  tuneproof learn\n"
      "  tuneproof learn --list\n"
      "  tuneproof learn 15\n"
      "  yes skip | tuneproof learn --progress /tmp/learn.json");
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] { return run_learn(program, *arguments); };
  });
}

}  // namespace harness::teach
