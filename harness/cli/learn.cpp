#include "harness/cli/learn.hpp"

#include "harness/cli/near_miss.hpp"
#include "harness/learn/course.hpp"
#include "harness/learn/workbench.hpp"
#include "harness/report/terminal.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

namespace harness {
namespace {

constexpr int interrupted_exit_code = 130;

struct LearnArguments {
  std::string unit;
  std::string progress;
  std::vector<std::string> results;
  std::vector<std::string> prices;
  bool list = false;
  bool restart = false;
};

constexpr auto welcome =
    "A course in four phases: instrument, feed, speed up the step, apply. Each unit asks for a\n"
    "prediction; then this machine is measured. Type skip to leave a unit out, quit to stop. What is\n"
    "done is kept in {}\n";

void require_unit(const std::vector<CourseUnit>& units, const std::string& name) {
  if (name.empty() || std::ranges::find(units, name, &CourseUnit::name) != units.end()) return;
  std::vector<std::string> names;
  for (const auto& unit : units) names.push_back(unit.name);
  const auto near = did_you_mean(name, names);
  throw BadInput(fmt::format("the course has no unit '{}'{}", name,
                             near.empty() ? "; tuneproof learn --list names them" : near));
}

void say(std::string_view text) {
  fmt::print("{}", text);
  std::fflush(stdout);  // a question must be seen before it is answered
}

int run_learn(const Program& program, const LearnArguments& arguments) {
  const auto units = course();
  require_unit(units, arguments.unit);
  const std::filesystem::path named = arguments.progress;
  CourseProgress progress(named.empty() ? CourseProgress::usual_file() : named);
  if (arguments.restart) progress.forget();
  Console console;
  const auto& file = progress.file();
  Workbench bench(program, console, file.parent_path() / (file.stem().string() + "-files"));
  for (const auto& results : arguments.results) bench.use_results(results);
  for (const auto& prices : arguments.prices) bench.use_prices(prices);
  Course lessons(units, progress, {[&] { return console.line(); }, say},
                 {[&](const CourseUnit& unit) { return bench.truth(unit); },
                  [&](const CourseUnit& unit) { return bench.show(unit); },
                  [&](const CourseUnit& unit) { return bench.command(unit); }},
                 style_of(stdout));
  if (arguments.list) {
    say(lessons.table());
    return 0;
  }
  say(fmt::format(welcome, file.string()));
  try {
    const bool ended = lessons.teach(arguments.unit);
    say(fmt::format("\n{}", lessons.table()));
    if (!ended) say("tuneproof learn goes on where you left.\n");
    return 0;
  } catch (const Interrupted&) {
    say(fmt::format("\nStopped; what was done is kept in {}\n", file.string()));
    return interrupted_exit_code;
  }
}

}  // namespace

void add_learn(CLI::App& app, const Program& program, Action& chosen) {
  const auto arguments = std::make_shared<LearnArguments>();
  auto* command = app.add_subcommand("learn", "A course: predict, measure here, see why");
  command->add_option("UNIT", arguments->unit, "One unit only; otherwise all that are open");
  command->add_flag("--list", arguments->list, "The units, and what became of them");
  command->add_flag("--restart", arguments->restart, "Forgets what was done");
  command->add_option("--progress", arguments->progress, "Where it is kept instead of in your state folder")
      ->type_name("FILE");
  command->add_option("--results", arguments->results, "Takes rows from these files (run --json) unmeasured")
      ->type_name("FILE");
  command->add_option("--prices", arguments->prices, "The same for prices")->type_name("FILE");
  command->footer(
      "Needs no GPU. Units on a device's profile use traces that it carries; they are made up, and say so.\n"
      "Examples:\n"
      "  tuneproof learn\n"
      "  tuneproof learn --list\n"
      "  tuneproof learn 15_regime\n"
      "  yes skip | tuneproof learn --progress /tmp/learn.json");
  command->callback([arguments, &program, &chosen] {
    chosen = [arguments, &program] { return run_learn(program, *arguments); };
  });
}

}  // namespace harness
