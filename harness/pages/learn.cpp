#include "harness/catalogue/program.hpp"
#include "harness/machine/host.hpp"
#include "harness/pages/course.hpp"
#include "harness/pages/explain.hpp"
#include "harness/pages/measured_here.hpp"
#include "harness/pages/unit.hpp"
#include "harness/results/results.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/run/open_rows.hpp"
#include "harness/support/child.hpp"
#include "harness/support/field.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/replace_file.hpp"
#include "harness/support/scratch_folder.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/intern.hpp"
#include "harness/trace/trace.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cerrno>
#include <charconv>

namespace harness::pages {
namespace {

// Where the course gets its evidence: rows and prices measured by this program, results that were given, and
// the traces that it carries.

class Workbench {
 public:
  /// Results and prices of files that were given are used instead of measuring anew; `folder` takes the
  /// traces and what is measured; `say` hears what is about to be. Throws BadInput where a file cannot be
  /// read. What was measured on the stand-in is refused unless that is allowed.
  Workbench(const catalogue::Program& program, Console& console, std::filesystem::path folder,
            std::function<void(std::string_view)> say, results::StandIn stand_in);
  void use_results(const std::string& file);
  void use_prices(const std::string& file);

  /// What is so for the unit; measures where no given file has it.
  Truth truth(const CourseUnit& unit);
  /// What the command of a trace's or a recording's unit prints.
  std::string show(const CourseUnit& unit);
  /// The command as one types it.
  std::string command(const CourseUnit& unit) const;

 private:
  struct Given {
    std::string from;
    bool disturbed = false;
    std::vector<results::Row> rows;
  };
  Truth row_truth(const CourseUnit& unit);
  Truth price_truth(const CourseUnit& unit);
  Truth simulated_truth(const CourseUnit& unit) const;
  /// Runs the unit's command with what to do with its results; gives its last line where it failed.
  std::optional<std::string> fails(const CourseUnit& unit, const std::vector<std::string>& arguments);
  /// Writes the unit's trace or recording into the folder, so that other tools can read it too.
  std::filesystem::path carried_file(const CourseUnit& unit) const;
  std::vector<std::string> shown_by(const CourseUnit& unit) const;

  const catalogue::Program& program_;
  Console& console_;
  std::filesystem::path folder_;
  std::function<void(std::string_view)> say_;
  results::StandIn stand_in_;
  std::vector<Given> results_;
  std::vector<ShownPrices> prices_;
};

constexpr auto measured_now = "measured now, on this machine";

/// "; do not trust it: other work took 62 % of the CPUs meanwhile"; empty on a machine that was quiet enough.
std::string load_text(const results::Results& results) {
  const auto other = run::other_work(results);
  const auto busy = other ? busy_text(fmt::format("{}", *other)) : std::string();
  return busy.empty() ? busy : "; do not trust it: " + busy;
}

std::string_view last_line(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

/// What `run` says of its progress where nobody looks at a terminal: "[round 2/10] 1 row".
bool is_progress(std::string_view line) { return line.starts_with("[") || line.starts_with("prices/"); }

Workbench::Workbench(const catalogue::Program& program, Console& console, std::filesystem::path folder,
                     std::function<void(std::string_view)> say, results::StandIn stand_in)
    : program_(program),
      console_(console),
      folder_(std::move(folder)),
      say_(std::move(say)),
      stand_in_(stand_in) {}

void Workbench::use_results(const std::string& file) {
  auto results = results::read_results(file, stand_in_);
  const auto load = load_text(results);
  results_.push_back(
      {fmt::format("{}; {}{}", file, machine_of(results), load), !load.empty(), std::move(results.rows)});
}

void Workbench::use_prices(const std::string& file) { prices_.push_back(read_shown_prices(file, stand_in_)); }

std::filesystem::path Workbench::carried_file(const CourseUnit& unit) const {
  const auto& name = unit.trace.empty() ? unit.recording : unit.trace;
  const auto carried = unit.trace.empty() ? course_recordings() : course_traces();
  const auto found = std::ranges::find(carried, name, &Embedded::name);
  if (found == carried.end()) throw BadInput("the course carries no file " + name);
  const NewFolders folders(folder_);
  auto file = folder_ / found->name;
  ReplaceFile(file).write(found->text);
  return file;
}

std::vector<std::string> Workbench::shown_by(const CourseUnit& unit) const {
  const auto file = carried_file(unit).string();
  if (unit.part == "operators" && unit.check != AnswerCheck::regime)
    return {"diagnose", file, "--only", unit.part, "--top", "12", "--sort", "self_cuda"};
  if (!unit.trace.empty()) return {"diagnose", file, "--only", unit.part};
  return {"simulate", "--from", file, "--gpu", unit.gpu, "--lines"};
}

std::string Workbench::command(const CourseUnit& unit) const {
  if (unit.trace.empty() && unit.recording.empty())
    return unit.command().empty() ? std::string() : "tuneproof " + unit.command();
  std::string text = "tuneproof";
  for (const auto& word : shown_by(unit)) text += " " + word;
  return text;
}

std::string Workbench::show(const CourseUnit& unit) {
  return console_.run(again(program_.self, shown_by(unit))).said;
}

Truth Workbench::truth(const CourseUnit& unit) {
  if (!unit.row.empty()) return row_truth(unit);
  if (!unit.price.empty()) return price_truth(unit);
  if (!unit.recording.empty()) return simulated_truth(unit);
  if (unit.trace.empty()) {
    auto truth = order_of(unit);
    truth.from = "the solution";
    return truth;
  }
  auto truth = truth_of(unit, trace::diagnose(trace::read_trace(carried_file(unit))));
  truth.from = fmt::format("{}, which is made up", unit.trace);
  return truth;
}

std::optional<std::string> Workbench::fails(const CourseUnit& unit,
                                            const std::vector<std::string>& arguments) {
  say_(fmt::format("\nMeasuring here: {}\n", command(unit)));
  const auto ended = console_.run(again(program_.self, arguments), [this](std::string_view line) {
    if (is_progress(line)) say_(fmt::format("  {}\n", line));
  });
  if (ended.exit == Exit{}) return std::nullopt;
  auto said = last_line(ended.said);
  constexpr std::string_view name = "tuneproof: ";
  if (said.starts_with(name)) said.remove_prefix(name.size());
  return said.empty() ? fmt::format("tuneproof {} {}", arguments.front(), to_string(ended.exit))
                      : trace::printable(said);
}

Truth Workbench::row_truth(const CourseUnit& unit) {
  for (const auto& given : results_ | std::views::reverse)
    if (const auto row = std::ranges::find(given.rows, unit.row, &results::Row::name);
        row != given.rows.end()) {
      auto truth = truth_of(unit, *row);
      truth.from = given.from;
      truth.disturbed = given.disturbed;
      return truth;
    }
  const NewFolders folders(folder_);
  const auto file = folder_ / "measured.json";
  auto why = fails(unit, {"run", unit.row, "--json", file.string()});
  if (why) return {.missing = std::move(*why)};
  const auto results = results::read_results(file, stand_in_);
  const auto row = std::ranges::find(results.rows, unit.row, &results::Row::name);
  if (row == results.rows.end()) return {.missing = "the run has no row " + unit.row};
  auto truth = truth_of(unit, *row);
  const auto load = load_text(results);
  truth.from = measured_now + load;
  truth.disturbed = !load.empty();
  if (truth.undecided) truth.missing += load;
  return truth;
}

Truth Workbench::simulated_truth(const CourseUnit& unit) const {
  const auto ended = console_.run(again(
      program_.self, {"simulate", "--from", carried_file(unit).string(), "--gpu", unit.gpu, "--json", "-"}));
  if (ended.exit != Exit{}) return {.missing = std::string(last_line(ended.said))};
  const auto json = parse_json(ended.said, "tuneproof simulate");
  const auto row = Field(json, "tuneproof simulate")["simulated"].entries().at(0);
  if (!row["cannot"].text().empty()) return {.missing = row["cannot"].text()};
  const auto ratio = row["simulated_ratio"].positive();
  const auto seconds = [&](std::size_t form) {
    return row["forms"].entries().at(form)["simulated_seconds"].number();
  };
  return {.said = fmt::format("simulated on {}: {} -> {}, {} times as fast", row["simulated_on"].text(),
                              time_text(seconds(0)), time_text(seconds(1)), plain_text(1 / ratio)),
          .from = "a prediction: no GPU took part",
          .number = 1 / ratio};
}

Truth Workbench::price_truth(const CourseUnit& unit) {
  const auto in = [&](const ShownPrices& prices) -> Truth {
    const auto row = std::ranges::find(prices.rows, unit.price, &ShownPrice::name);
    if (row == prices.rows.end()) return {.missing = fmt::format("{} has no {}", prices.from, unit.price)};
    auto truth = truth_of(unit, row->seconds);
    truth.from = prices.from;
    truth.disturbed = !prices.busy.empty();
    return truth;
  };
  for (const auto& given : prices_ | std::views::reverse)
    if (auto truth = in(given); truth.missing.empty()) return truth;
  const NewFolders folders(folder_);
  const auto file = folder_ / "prices.json";
  auto why =
      fails(unit, {"prices", "--benchmark_filter=" + unit.price + "/", "--benchmark_out=" + file.string()});
  if (why) return {.missing = std::move(*why)};
  const auto prices = read_shown_prices(file, stand_in_);
  auto truth = in(prices);
  if (truth.missing.empty()) truth.from = measured_now + (prices.busy.empty() ? "" : "; " + prices.busy);
  return truth;
}

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
    "A course in four phases: instrument, feed, speed up the step, apply. Each unit asks for a prediction "
    "and then measures this machine, reads a made-up trace, or simulates a GPU. Type ? for what counts as "
    "an answer, skip to leave out a unit, quit to stop. Your progress is kept in {}";

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
  auto near = did_you_mean(name, names);
  std::size_t place = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), place);
  if (read.ptr == name.data() + name.size() && place > 0 && place <= names.size())
    near = fmt::format("; unit {} of {} is '{}'", place, names.size(), names[place - 1]);
  throw BadInput(fmt::format("the course has no unit '{}'{}", name,
                             near.empty() ? "; run 'tuneproof learn --list' to see them" : near));
}

void say(std::string_view given) {
  const int error = try_lines(stdout, given);  // a question must be seen to be answered
  if (error == EPIPE) throw Unheard{};
  if (error != 0) throw std::runtime_error("the output could not be written");
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
    say(indented(
        "", "Run tuneproof learn to continue where you left off, tuneproof learn --list to see all units.", 0,
        style_of(stdout)));
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
  say(indented("", fmt::format(welcome, file.string()), 0, style_of(stdout)));
  try {
    return teach(lessons, units, progress, unit);
  } catch (const Interrupted& interrupted) {
    say(fmt::format("\nStopped; your progress is kept in {}\n", file.string()));
    return 128 + interrupted.signal;
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
    return 128 + SIGPIPE;  // as if we had died of it, like any program in a pipe
  }
}

}  // namespace

void add_learn(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<LearnArguments>();
  auto* command = app.add_subcommand("learn", "Take a course: predict, measure here, see why");
  command->add_option("UNIT", arguments->unit,
                      "Take only this unit, by its name or number (regime, 15); default: all open units");
  auto* list = command->add_flag("--list", arguments->list, "List the units and your progress");
  command->add_flag("--restart", arguments->restart, "Start over: forget your progress")->excludes(list);
  add_value(*command, "--progress", arguments->progress, "FILE",
            "Keep your progress in FILE; default: in your state folder");
  add_value(*command, "--results", arguments->results, "FILE",
            "Take rows from these files (run --json) instead of measuring");
  add_value(*command, "--prices", arguments->prices, "FILE",
            "Take prices from these files (prices --benchmark_out)");
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

}  // namespace harness::pages
