#include "harness/compare/history.hpp"

#include "harness/compare/compare.hpp"
#include "harness/core/change_points.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/signals.hpp"
#include "harness/support/terminal.hpp"
#include "harness/support/text.hpp"
#include "harness/support/usage.hpp"
#include "harness/support/usual_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace harness::compare {
namespace {

constexpr std::int64_t version = 1;
constexpr std::int64_t application = 0x74756e65;  // "tune": tells our files from other databases

constexpr auto make_sessions =
    "CREATE TABLE sessions(id TEXT PRIMARY KEY, started TEXT NOT NULL, commit_id TEXT NOT NULL,"
    " machine TEXT NOT NULL, software TEXT NOT NULL)";
constexpr auto make_rows =
    "CREATE TABLE measurements(session TEXT NOT NULL REFERENCES sessions(id), row TEXT NOT NULL,"
    " ln_naive REAL NOT NULL, ln_optimized REAL NOT NULL, ln_ratio REAL NOT NULL, sd REAL, units INTEGER NOT "
    "NULL,"
    " PRIMARY KEY(session, row)) WITHOUT ROWID";

std::int64_t pragma(const Database& database, std::string_view name) {
  auto statement = database.prepare(fmt::format("PRAGMA {}", name));
  return statement.step() ? statement.integer(0) : 0;
}

void make_where_empty(const Database& database) {
  if (pragma(database, "schema_version") != 0) return;
  database.run(make_sessions);
  database.run(make_rows);
  database.run(fmt::format("PRAGMA application_id = {}", application));
  database.run(fmt::format("PRAGMA user_version = {}", version));
}

void check_history_file(const Database& database) {
  if (pragma(database, "application_id") != application)
    throw BadInput(database.file() + ": is not a history of tuneproof");
  if (const auto found = pragma(database, "user_version"); found > version)
    throw BadInput(
        fmt::format("{}: a newer tuneproof made this history (version {}; this one reads up to {})",
                    database.file(), found, version));
  // What they hold runs whenever the tables are read or written, and a view may take for ever.
  auto strange = database.prepare("SELECT type, name FROM sqlite_master WHERE type IN ('view', 'trigger')");
  if (strange.step())
    throw BadInput(fmt::format("{}: holds the {} {}, which tuneproof did not make", database.file(),
                               strange.text(0), shown(strange.text(1))));
}

/// Waits for other writers, and can be ended while it waits.
const Database& begun(const Database& database) {
  database.run("BEGIN IMMEDIATE");
  return database;
}

/// Undoes what was written unless it was completed. A signal that comes meanwhile ends the program
/// afterwards, so that no journal stays beside the file.
class Transaction {
 public:
  explicit Transaction(const Database& database) : database_(begun(database)) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (completed_) return;
    try {
      database_.run("ROLLBACK");
    } catch (
        const BadInput&) {  // the error that led here is the one to tell; closing the file rolls back too
      completed_ = false;
    }
  }
  void complete() {
    database_.run("COMMIT");
    completed_ = true;
  }

 private:
  const Database& database_;
  HeldSignals held_;
  bool completed_ = false;
};

/// Where that fails, as on a full disk, no empty file stays behind.
void make_tables(const Database& database) {
  try {
    Transaction transaction(database);  // of two jobs that make the file, one waits
    make_where_empty(database);
    transaction.complete();
  } catch (const BadInput&) {
    std::error_code ignored;
    if (std::filesystem::file_size(database.file(), ignored) == 0)
      std::filesystem::remove(database.file(), ignored);
    throw;
  }
}

/// Where it makes the file, a signal ends the program once the tables are in it: no empty file stays behind.
Database opened(const std::filesystem::path& file, Database::Mode mode) {
  std::error_code ignored;
  std::optional<HeldSignals> held;
  if (mode == Database::Mode::write && !std::filesystem::exists(file, ignored)) held.emplace();
  Database database(file, mode);
  if (mode == Database::Mode::write) make_tables(database);
  return database;
}

/// Others have no number that could move, or one whose unit the history does not know.
bool is_kept(const results::Row& row) {
  const bool known = results::is_of_commands(row.name) || row.measured.statistic == Statistic::median;
  return known && !is_error(row) && shown_value(row, Form::naive) > 0 &&
         shown_value(row, Form::optimized) > 0 && row.judged.ratio > 0;
}

/// Each form's own median, and not what a table shows: earlier sessions have it, and where the two differ no
/// level may seem to have moved.
void add_rows(const Database& database, const results::Results& run) {
  auto insert = database.prepare("INSERT INTO measurements VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const auto& row : run.rows) {
    if (!is_kept(row)) continue;
    insert.bind(0, run.session.id)
        .bind(1, row.name)
        .bind(2, std::log(row.naive_seconds))
        .bind(3, std::log(row.optimized_seconds))
        .bind(4, std::log(row.judged.ratio))
        .bind(5, row.judged.sd)
        .bind(6, static_cast<std::int64_t>(series_of(row).log_ratios.size()))
        .step();
  }
}

/// Sessions [begin, end) of one software.
struct Stretch {
  std::size_t begin, end;
};

std::vector<Stretch> stretches(const History::Series& series) {
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < series.software.size(); ++i) {
    if (i == 0 || series.software[i] != series.software[i - 1]) all.push_back({i, i});
    all.back().end = i + 1;
  }
  return all;
}

/// The change points of [begin, end), all of one software.
void find_alarms(const History::Series& series, std::size_t begin, std::size_t end,
                 std::vector<Alarm>& found) {
  const auto part = [&](const std::vector<double>& values) {
    return std::span(values).subspan(begin, end - begin);
  };
  const auto ratio_moves = change_points(part(series.ratio));
  for (const auto& point : change_points(part(series.optimized))) {
    const auto at = begin + point.at;
    const bool own = std::ranges::any_of(ratio_moves, [&](const ChangePoint& move) {
      return move.at + 3 > point.at && move.at < point.at + 3;
    });
    found.push_back({series.machine, series.row, series.commits[at - 1], series.commits[at],
                     series.started[at], std::exp(point.shift), point.p, !own});
  }
}

constexpr auto history_examples =
    "A history is an SQLite file. It only advises: the exit code is 0 whatever it finds. It separates\n"
    "classes of machine. A change of driver, CUDA, LibTorch or compiler begins a new level.\n"
    "\n"
    "Examples:\n"
    "  tuneproof history add results.json\n"
    "  tuneproof history check --db /shared/history.sqlite";

struct HistoryArguments {
  std::string database = usual_history;
  std::vector<std::string> files;
  results::StandIn stand_in = results::StandIn::refuse;
};

std::string sessions_text(const History& history) {
  const auto sessions = history.sessions();
  return fmt::format("{} {}", sessions, sessions == 1 ? "session" : "sessions");
}

/// How many were kept, and of how many where some were not.
std::string kept_text(const results::Results& run) {
  const auto rows = run.rows.size();
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(run.rows, is_kept));
  const auto text = fmt::format("{} {}", rows, rows == 1 ? "row" : "rows");
  return kept == rows ? text : fmt::format("{} of {}; the others have no time or value", kept, text);
}

int add_files(const HistoryArguments& arguments) {
  // All files are read before anything is written.
  std::vector<results::Results> runs;
  for (const auto& file : arguments.files) runs.push_back(read_run_file(file, arguments.stand_in));
  const History history(arguments.database, Database::Mode::write);
  for (const auto& run : runs)
    fmt::print("{}: {}\n", printable(run.file),
               history.add(run) ? kept_text(run) : "is in the history already");
  fmt::print("{}: {}\n", printable(arguments.database), sessions_text(history));
  return 0;
}

std::string alarm_text(const Alarm& alarm, const Style& style) {
  const auto& moved = alarm.first_moved;
  const auto& good = alarm.last_good;
  const auto words = value_words(alarm.row);
  auto out = fmt::format("{}  {} % {}\n", inked(alarm.row, Ink::bold, style),
                         percent_text(results::as_printed(alarm.row, alarm.ratio)),
                         alarm.ratio > 1 ? words.more : words.less);
  out += fmt::format("    since {} ({}); before it {}; p = {:.1g}\n", moved, alarm.when, good, alarm.p);
  if (alarm.both_forms)
    return out +
           "    the first side moved alike, so the cause is the machine or code that both sides share\n";
  return out + fmt::format("    to be sure, run tuneproof {} of {} and {}\n",
                           results::is_of_commands(alarm.row)
                               ? "versus with the programs"
                               : "compare --base BUILD --head BUILD with the builds",
                           good, moved);
}

/// The least number of sessions of one software in which a move can be found: five on each side.
constexpr std::size_t fewest_sessions = 10;

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

History::History(const std::filesystem::path& file, Database::Mode mode) : database_(opened(file, mode)) {
  check_history_file(database_);
}

bool History::add(const results::Results& run) const {
  Transaction transaction(database_);
  auto known = database_.prepare("SELECT 1 FROM sessions WHERE id = ?");
  if (known.bind(0, run.session.id).step()) return false;
  database_.prepare("INSERT INTO sessions VALUES(?, ?, ?, ?, ?)")
      .bind(0, run.session.id)
      .bind(1, run.session.started)
      .bind(2, run.session.commit)
      .bind(3, results::machine_class(run.fingerprint))
      .bind(4, results::software_class(run.fingerprint))
      .step();
  add_rows(database_, run);
  transaction.complete();
  return true;
}

std::int64_t History::sessions() const {
  auto count = database_.prepare("SELECT count(*) FROM sessions");
  count.step();
  return count.integer(0);
}

namespace {

/// A logarithm as add_rows writes it: of a number that a double holds. Others stem from elsewhere, and what
/// is calculated of them is no number.
double logarithm_in(const Statement& row, int column, const std::string& file) {
  constexpr double most = 745;
  const auto value = row.number(column);
  if (!(std::abs(value) <= most))
    throw BadInput(fmt::format("{}: {} is no logarithm of a time, in the row {}; tuneproof did not write it",
                               file, value, shown(row.text(1))));
  return value;
}

}  // namespace

std::vector<History::Series> History::series() const {
  auto rows = database_.prepare(
      "SELECT machine, row, commit_id, started, software, ln_naive, ln_optimized, ln_ratio"
      " FROM measurements JOIN sessions ON session = id ORDER BY machine, row, started, sessions.rowid");
  const auto text = [&](int column) { return printable(rows.text(column)); };
  std::vector<Series> all;
  while (rows.step()) {
    if (all.empty() || all.back().machine != text(0) || all.back().row != text(1)) {
      all.emplace_back();
      all.back().machine = text(0);
      all.back().row = text(1);
    }
    auto& series = all.back();
    series.commits.push_back(text(2));
    series.started.push_back(text(3));
    series.software.push_back(text(4));
    series.naive.push_back(logarithm_in(rows, 5, database_.file()));
    series.optimized.push_back(logarithm_in(rows, 6, database_.file()));
    series.ratio.push_back(logarithm_in(rows, 7, database_.file()));
  }
  return all;
}

bool can_move(const History::Series& series) {
  return std::ranges::any_of(stretches(series), [](const Stretch& stretch) {
    return stretch.end - stretch.begin >= fewest_sessions;
  });
}

std::vector<Alarm> alarms(const std::vector<History::Series>& all) {
  std::vector<Alarm> found;
  for (const auto& series : all)
    for (const auto& [begin, end] : stretches(series)) find_alarms(series, begin, end, found);
  std::ranges::stable_sort(found, std::ranges::greater(), &Alarm::when);
  return found;
}

void add_history(CLI::App& app, catalogue::Action& chosen) {
  const auto arguments = std::make_shared<HistoryArguments>();
  auto* command = app.add_subcommand("history", "Keep runs and show which row moved for good, and when");
  command->require_subcommand(1);
  command->footer(history_examples);
  const auto declare = [&](const char* name, const char* text) {
    auto* part = command->add_subcommand(name, text);
    add_value(*part, "--db", arguments->database, "FILE", "The history file")->capture_default_str();
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
