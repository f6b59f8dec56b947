#include "harness/compare/history.hpp"

#include "tests/harness/compare/example.hpp"
#include "tests/harness/core/noise.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/child.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sqlite3.h>
#include <unistd.h>

using namespace harness;
using namespace harness::compare;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

/// A folder of its own that goes with the test.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / "tuneproof-history-XXXXXX") {
    auto name = path_.string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// One session: number, factors of the two forms, and what else is to be changed.
results::Results session(
    int number, double naive, double optimized, const std::function<void(Json&)>& change = [](Json&) {}) {
  auto json = example::results({{.naive_ns = 1e6 * naive, .optimized_ns = 5e5 * optimized}});
  json["tuneproof"]["session"]["id"] = fmt::format("s{}", number);
  json["tuneproof"]["session"]["started"] = fmt::format("2026-01-{:02}T00:00:00+00:00", number);
  json["tuneproof"]["session"]["git"]["head"] = fmt::format("c{}", number);
  change(json["tuneproof"]);
  return example::run(json);
}

void newer_driver(Json& block) { block["fingerprint"]["hard"]["software"]["driver"] = "590"; }

/// SQLite calls it whenever it has opened a file.
using AtOpening = int (*)(sqlite3*, char**, const struct sqlite3_api_routines*);

/// What ends a process that adds a session to the file.
Exit end_of_adding(const std::filesystem::path& file, AtOpening at_opening) {
  const auto adder = fork();
  if (adder == 0) {
    std::signal(SIGTERM, SIG_DFL);
    sqlite3_auto_extension(reinterpret_cast<void (*)()>(at_opening));
    History(file, Database::Mode::write).add(session(2, 1, 1));
    _exit(0);
  }
  return wait_for_end(adder);
}

}  // namespace

TEST_CASE("a signal that comes while a history is written leaves no journal and no empty file", "[history]") {
  struct Moment {
    const char* name;
    AtOpening raises;
    bool is_there;  // the file, with one session
    std::int64_t sessions;
  };
  constexpr Moment moments[] = {
      {"the file is made", [](auto...) { return std::raise(SIGTERM); }, false, 0},
      {"the tables are made",
       [](sqlite3* database, auto...) {
         sqlite3_commit_hook(database, [](void*) { return std::raise(SIGTERM); }, nullptr);
         return SQLITE_OK;
       },
       false, 0},
      {"a session is added",
       [](sqlite3* database, auto...) {
         sqlite3_update_hook(database, [](auto...) { std::raise(SIGTERM); }, nullptr);
         return SQLITE_OK;
       },
       true, 2},
  };
  for (const auto& moment : moments) {
    CAPTURE(moment.name);
    const Folder folder;
    const auto file = folder / "h.sqlite";
    if (moment.is_there) CHECK(History(file, Database::Mode::write).add(session(1, 1, 1)));
    CHECK(end_of_adding(file, moment.raises) == Exit{0, SIGTERM});
    const std::filesystem::directory_iterator left(folder / "");
    CHECK(std::distance(left, {}) == 1);
    CHECK(History(file, Database::Mode::read).sessions() == moment.sessions);
  }
}

TEST_CASE("no text of a history moves a cursor", "[history]") {
  const Folder folder;
  const auto file = folder / "h.sqlite";
  CHECK(History(file, Database::Mode::write).add(session(1, 1, 1)));
  Database(file, Database::Mode::write)
      .run("UPDATE sessions SET started = started || char(27), commit_id = char(155) || '[2J'");
  const auto read = History(file, Database::Mode::read).series().at(0);
  CHECK(read.started == std::vector<std::string>{"2026-01-01T00:00:00+00:00?"});
  CHECK(read.commits == std::vector<std::string>{"?[2J"});
}

TEST_CASE("a history is refused that holds what runs while it is read", "[history]") {
  const Folder folder;
  for (const auto* strange :
       {"CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE TRIGGER t AFTER INSERT ON sessions BEGIN DELETE FROM measurements; END"}) {
    const auto file = folder / "h.sqlite";
    CHECK(History(file, Database::Mode::write).add(session(1, 1, 1)));
    Database(file, Database::Mode::write).run(strange);
    for (const auto mode : {Database::Mode::read, Database::Mode::write})
      CHECK_THROWS_MATCHES(History(file, mode), BadInput,
                           MessageMatches(ContainsSubstring("h.sqlite: holds the")));
    std::filesystem::remove(file);
  }
}

TEST_CASE("a session is added once, and read back in the order of time", "[history]") {
  const Folder folder;
  const History history(folder / "h.sqlite", Database::Mode::write);
  CHECK(history.add(session(2, 1, 1)));
  CHECK(history.add(session(1, 1, 2)));
  CHECK_FALSE(history.add(session(2, 1, 1)));
  CHECK(history.sessions() == 2);
  const auto series = history.series();
  REQUIRE(series.size() == 1);
  CHECK(series[0].commits == std::vector<std::string>{"c1", "c2"});
  CHECK(series[0].ratio[0] == Approx(0).margin(1e-9));
}

TEST_CASE("sessions of one second come in the order in which they were added", "[history]") {
  const Folder folder;
  const History history(folder / "h.sqlite", Database::Mode::write);
  const auto at = [](Json& block) { block["session"]["started"] = "2026-01-01T00:00:00+00:00"; };
  for (const int number : {3, 1, 2}) history.add(session(number, 1, 1, at));
  CHECK(history.series().front().commits == std::vector<std::string>{"c3", "c1", "c2"});
}

TEST_CASE("what commands were compared by is kept and named, whatever it is", "[history]") {
  const Folder folder;
  const History history(folder / "h.sqlite", Database::Mode::write);
  for (int i = 1; i <= 20; ++i)
    history.add(session(i, 1 + 0.001 * (i % 3), i <= 12 ? 1 : 1.2, [](Json& block) {
      auto& pair = block["pairs"][0];
      pair["step"] = "versus/memory";
      pair["id"] = "versus/memory/command:head";
      pair["metric"] = "first_figure";
      pair["figures"] = {{{"name", "peak memory"}, {"unit", "B"}, {"naive", 1.0}, {"optimized", 1.0}}};
    }));
  const auto found = alarms(history.series());
  REQUIRE(found.size() == 1);
  CHECK(found[0].ratio == Approx(1.2).epsilon(0.01));
  CHECK(value_words(found[0].row).more == "more");
  CHECK(value_words("sync/item_every_step/n:128").more == "slower");
}

TEST_CASE("a slower form is named with the commits around the step", "[history]") {
  const Folder folder;
  const History history(folder / "h.sqlite", Database::Mode::write);
  example::Noise noise(41);
  for (int i = 1; i <= 20; ++i)
    history.add(session(i, 1 + 0.005 * noise.normal(), (i <= 12 ? 1 : 1.1) * (1 + 0.005 * noise.normal())));
  const auto found = alarms(history.series());
  REQUIRE(found.size() == 1);
  CHECK(found[0].last_good == "c12");
  CHECK(found[0].first_moved == "c13");
  CHECK(found[0].ratio == Approx(1.1).epsilon(0.01));
  CHECK_FALSE(found[0].both_forms);
}

TEST_CASE("where both forms moved alike the alarm says so", "[history]") {
  const Folder folder;
  const History history(folder / "h.sqlite", Database::Mode::write);
  for (int i = 1; i <= 20; ++i) history.add(session(i, i <= 10 ? 1 : 1.2, i <= 10 ? 1 : 1.2));
  const auto found = alarms(history.series());
  REQUIRE(found.size() == 1);
  CHECK(found[0].both_forms);
}

TEST_CASE("a new driver begins a new level without an alarm, another machine a new series", "[history]") {
  const Folder folder;
  const History history(folder / "h.sqlite", Database::Mode::write);
  for (int i = 1; i <= 20; ++i) history.add(i <= 10 ? session(i, 1, 1) : session(i, 1, 1.3, newer_driver));
  CHECK(alarms(history.series()).empty());
  history.add(session(21, 1, 9, [](Json& b) { b["fingerprint"]["hard"]["machine"]["cpu_model"] = "B"; }));
  CHECK(history.series().size() == 2);
}

TEST_CASE("a series of fewer than ten sessions of one software cannot show a move", "[history]") {
  History::Series series;
  series.software.assign(9, "a");
  CHECK_FALSE(can_move(series));
  series.software.insert(series.software.end(), 9, "b");
  CHECK_FALSE(can_move(series));
  series.software.emplace_back("b");
  CHECK(can_move(series));
}

TEST_CASE("history refuses other files and leaves them as they are", "[history]") {
  const Folder folder;
  const auto text = folder / "text";
  std::ofstream(text) << "this is not a database, and longer than a page header would be";
  CHECK_THROWS_MATCHES(
      History(text, Database::Mode::write), BadInput,
      MessageMatches(ContainsSubstring("is not a history; tuneproof history add --db FILE makes one")));
  const auto other = folder / "other.sqlite";
  Database(other, Database::Mode::write).run("CREATE TABLE x(y)");
  CHECK_THROWS_MATCHES(History(other, Database::Mode::write), BadInput,
                       MessageMatches(ContainsSubstring("is not a history of tuneproof")));
  CHECK_THROWS_AS(History(folder / "none.sqlite", Database::Mode::read), BadInput);
  CHECK_FALSE(std::filesystem::exists(folder / "none.sqlite"));
}

TEST_CASE("a history of a newer program is refused", "[history]") {
  const Folder folder;
  const auto file = folder / "h.sqlite";
  {
    const History history(file, Database::Mode::write);
  }
  Database(file, Database::Mode::write).run("PRAGMA user_version = 2");
  CHECK_THROWS_MATCHES(History(file, Database::Mode::read), BadInput,
                       MessageMatches(ContainsSubstring(
                           "newer tuneproof made this history (version 2; this one reads up to 1)")));
}

TEST_CASE("a history with numbers that nothing can be calculated of is refused with its row", "[history]") {
  const Folder folder;
  const auto file = folder / "h.sqlite";
  {
    const History history(file, Database::Mode::write);
    for (int i = 1; i <= 20; ++i) history.add(session(i, 1, 1));
  }
  for (const auto* value : {"1e200 * (session > 's15')", "-1e308", "9e999"}) {
    Database(file, Database::Mode::write)
        .run(fmt::format("UPDATE measurements SET ln_optimized = {}", value));
    CHECK_THROWS_MATCHES(History(file, Database::Mode::read).series(), BadInput,
                         MessageMatches(ContainsSubstring("is no logarithm of a time, in the row \"")));
  }
}

TEST_CASE("what a killed writer left half done is undone by the next reader", "[history]") {
  const Folder folder;
  const auto file = folder / "h.sqlite", left = folder / "left.sqlite";
  History(file, Database::Mode::write).add(session(1, 1, 1));
  {
    const Database writer(file, Database::Mode::write);
    writer.run("PRAGMA cache_size = 5");  // it then writes pages before it commits
    writer.run("BEGIN IMMEDIATE");
    writer.run(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
        " INSERT INTO sessions SELECT hex(randomblob(1000)), '', '', '', '' FROM n");
    for (const auto* suffix : {"", "-journal"})
      std::filesystem::copy_file(file.string() + suffix, left.string() + suffix);
  }
  CHECK(History(left, Database::Mode::read).sessions() == 1);
}
