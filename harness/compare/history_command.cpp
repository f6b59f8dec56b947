#include "harness/compare/compare.hpp"
#include "harness/compare/history.hpp"
#include "harness/results/stand_in_option.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/shown.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace harness::compare {
namespace {

constexpr auto history_examples =
    "A history is an SQLite file. It only advises: the exit code is 0 whatever it finds. It separates\n"
    "classes of machine. A change of driver, CUDA, LibTorch or compiler begins a new level.\n"
    "\n"
    "Examples:\n"
    "  tuneproof history add results.json\n"
    "  tuneproof history check --db /shared/history.sqlite";

struct HistoryArguments {
  std::string database = "history.sqlite";
  std::vector<std::string> files;
  results::StandIn stand_in = results::StandIn::refuse;
};

std::string sessions_text(const History& history) {
  const auto sessions = history.sessions();
  return fmt::format("{} {}", sessions, sessions == 1 ? "session" : "sessions");
}

int add_files(const HistoryArguments& arguments) {
  // All files are read before anything is written.
  std::vector<results::Results> runs;
  for (const auto& file : arguments.files) runs.push_back(read_run_file(file, arguments.stand_in));
  const History history(arguments.database, Database::Mode::write);
  for (const auto& run : runs)
    fmt::print("{}: {}\n", printable(run.file),
               history.add(run) ? fmt::format("{} {}", run.rows.size(), run.rows.size() == 1 ? "row" : "rows")
                                : "is in the history already");
  fmt::print("{}: {}\n", printable(arguments.database), sessions_text(history));
  return 0;
}

std::string alarm_text(const Alarm& alarm, const Style& style) {
  const auto moved = printable(alarm.first_moved), good = printable(alarm.last_good);
  const auto words = value_words(alarm.row);
  auto out = fmt::format("{}  {} % {}\n", inked(printable(alarm.row), Ink::bold, style),
                         percent_text(alarm.ratio), alarm.ratio > 1 ? words.more : words.less);
  out += fmt::format("    since {} ({}); before it {}; p = {:.1g}\n", moved, printable(alarm.when), good,
                     alarm.p);
  if (alarm.both_forms)
    return out +
           "    the naive form moved alike, so the cause is the machine or code that both forms share\n";
  return out + fmt::format("    to be sure, run tuneproof {} of {} and {}\n",
                           is_of_commands(alarm.row) ? "versus with the programs"
                                                     : "compare --base BUILD --head BUILD with the builds",
                           good, moved);
}

/// "none has moved", as far as so many sessions can say so.
std::string moves_text(const std::vector<History::Series>& series, std::size_t moved) {
  const auto young = static_cast<std::size_t>(
      std::ranges::count_if(series, [](const History::Series& one) { return !can_move(one); }));
  const auto needed = fmt::format(
      "too few sessions: a move shows from {} on, on one class of machine with one "
      "software",
      fewest_sessions);
  if (young == series.size()) return needed;
  const auto found =
      moved == 0 ? std::string("none has moved") : fmt::format("{} moved (advice, no gate)", moved);
  return young == 0 ? found : fmt::format("{}; {} of them have {}", found, young, needed);
}

int check_history(const HistoryArguments& arguments) {
  const History history(arguments.database, Database::Mode::read);
  const auto series = history.series();
  const auto found = alarms(series);
  const auto style = style_of(stdout);
  for (const auto& alarm : found) fmt::print("{}", alarm_text(alarm, style));
  fmt::print("{}{}, {} {}: {}\n", found.empty() ? "" : "\n", sessions_text(history), series.size(),
             series.size() == 1 ? "row" : "rows", moves_text(series, found.size()));
  return 0;
}

}  // namespace

void add_history(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<HistoryArguments>();
  auto* command = app.add_subcommand("history", "Keep runs and show which row moved for good, and when");
  command->require_subcommand(1);
  command->footer(history_examples);
  const auto declare = [&](const char* name, const char* text) {
    auto* part = command->add_subcommand(name, text);
    part->add_option("--db", arguments->database, "The history file")
        ->type_name("FILE")
        ->capture_default_str();
    return part;
  };
  auto* add = declare("add", "Add results files; skip those that are already there");
  add->add_option("FILE", arguments->files, "Files from `run --json` or `versus --json`")->required();
  results::declare_stand_in(*add, arguments->stand_in);
  add->callback([arguments, &chosen] { chosen = [arguments] { return add_files(*arguments); }; });
  auto* check = declare("check", "Show which row's level moved by 3 % or more and stayed there");
  check->callback([arguments, &chosen] { chosen = [arguments] { return check_history(*arguments); }; });
}

}  // namespace harness::compare
