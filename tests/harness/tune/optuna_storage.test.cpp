// What the real Optuna keeps in its file: searches that end and go on, and files that are refused.
#include "tests/harness/tune/optuna_study.hpp"

#include "harness/support/child.hpp"
#include "harness/tune/optuna.hpp"
#include "harness/tune/yardstick.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

namespace harness::tune {
namespace {

using Catch::Matchers::ContainsSubstring;
using example::fake_plan;
using example::fake_training;
using example::no_time;
using example::planted_cost;
using example::python;
using example::quiet;
using example::searched;
using example::settings_of;
using example::study_of;

struct TemporaryStudy {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof-study-" + std::to_string(getpid()) + ".db");
  TemporaryStudy() { std::filesystem::remove(path); }
  ~TemporaryStudy() { std::filesystem::remove(path); }
};

/// Searches until the trial of this number, which is asked for and never told, as where the process dies in
/// it.
void search_dying_in(const Plan& plan, const std::filesystem::path& file, int stopped) {
  auto study = study_of(plan, file);
  int begun = 0;
  const auto training = fake_training(planted_cost, 0.03, 1);
  const TrainSettings dies = [&](const Asked& asked, const auto& give_up) {
    return asked.number == stopped && begun++ == 0 ? Ended{{}, SIGKILL} : training(asked, give_up);
  };
  search(plan, study.searcher(), dies, quiet(), no_time);
}

/// All of a study's trials, which are those of a search that was never killed.
void check_goes_on_as(const std::vector<Settings>& whole, const Plan& plan,
                      const std::filesystem::path& file) {
  auto study = study_of(plan, file);
  const auto trials =
      search(plan, study.searcher(), fake_training(planted_cost, 0.03, 1), quiet(), no_time).trials;
  CHECK(settings_of(trials) == whole);
  for (std::size_t i = 0; i < trials.size(); ++i) CHECK(trials[i].number == static_cast<int>(i));
}

/// Runs SQL on a file by Python's SQLite; true if it could.
bool changed(const std::filesystem::path& file, const std::string& sql) {
  const auto script = "import sqlite3; c = sqlite3.connect('" + file.string() + "'); c.execute(\"\"\"" + sql +
                      "\"\"\"); c.commit()";
  const auto exit = Child({"/usr/bin/env", {python(), "-c", script}, {}}).wait(std::chrono::seconds(60));
  REQUIRE(exit);
  return exit->code == 0;
}

TEST_CASE("a study that was killed in a trial goes on: none is lost or done twice", "[optuna]") {
  const auto plan = fake_plan(3);
  const auto whole = settings_of(searched(plan, fake_training(planted_cost, 0.03, 1)));
  const TemporaryStudy file;
  for (const int stopped : {0, 1, 9, 17, 30}) search_dying_in(plan, file.path, stopped);
  check_goes_on_as(whole, plan, file.path);
}

TEST_CASE("a study that was killed while a trial was drawn draws it to its end", "[optuna]") {
  const auto plan = fake_plan(3);
  const auto whole = settings_of(searched(plan, fake_training(planted_cost, 0.03, 1)));
  const TemporaryStudy file;
  for (const int stopped : {0, 1, 17}) {
    search_dying_in(plan, file.path, stopped);
    REQUIRE(changed(file.path,
                    "DELETE FROM trial_params WHERE param_name <> 'batch' AND trial_id IN "
                    "(SELECT trial_id FROM trials WHERE state = 'RUNNING')"));
  }
  check_goes_on_as(whole, plan, file.path);
}

TEST_CASE("the standard settings are trained again at the end, once a search, and kept", "[optuna]") {
  auto plan = fake_plan();
  plan.trials = 6;
  const TemporaryStudy file;
  for (int session = 0; session < 2; ++session) {
    auto study = study_of(plan, file.path);
    const auto trials =
        search_with_yardstick(plan, study.searcher(), fake_training(planted_cost, 0.03, 1), quiet(), no_time)
            .trials;
    REQUIRE(trials.size() == 7);
    CHECK(trials.back().settings == standard_of(plan));
    CHECK(trials.back().number == 6);
    CHECK(std::ranges::count(trials, standard_of(plan), &Tried::settings) == 2);
  }
}

TEST_CASE("a yardstick behind trials that still wait takes a number of its own", "[optuna]") {
  auto plan = fake_plan();
  const TemporaryStudy file;
  plan.trials = 2;  // the advice is enqueued and has numbers
  {
    auto study = study_of(plan, file.path);
    const auto advised = std::ssize(advised_settings(plan));
    const auto searcher = study.searcher();
    const auto trials =
        search_with_yardstick(plan, searcher, fake_training(planted_cost, 0.03, 1), quiet(), no_time).trials;
    CHECK(trials.back().number == static_cast<int>(advised) + 1);
  }
  plan.trials = 6;
  auto study = study_of(plan, file.path);
  const auto all =
      search(plan, study.searcher(), fake_training(planted_cost, 0.03, 1), quiet(), no_time).trials;
  const auto numbers = [&] {
    std::set<int> seen;
    for (const auto& tried : all) seen.insert(tried.number);
    return seen;
  }();
  CHECK(numbers.size() == all.size());
  CHECK(std::ranges::count(all, advised_settings(plan)[1], &Tried::settings) == 1);
}

TEST_CASE("a database of something else is refused and left as it is", "[optuna]") {
  study_of(fake_plan());  // skips where there is no Optuna
  const TemporaryStudy file;
  REQUIRE(changed(file.path, "CREATE TABLE accounts (name)"));
  const auto bytes = std::filesystem::file_size(file.path);
  CHECK_THROWS_WITH(Study(fake_plan(), {python(), file.path}), ContainsSubstring("something else"));
  CHECK(std::filesystem::file_size(file.path) == bytes);
}

TEST_CASE("another workload's study is refused", "[optuna]") {
  const TemporaryStudy file;
  study_of(fake_plan(), file.path);
  auto other = fake_plan();
  other.workload.workload = "another";
  CHECK_THROWS_WITH(study_of(other, file.path), ContainsSubstring("other workload"));
}

TEST_CASE("a study of another plan is refused, and what differs is named", "[optuna]") {
  const TemporaryStudy file;
  study_of(fake_plan(), file.path);
  CHECK_THROWS_WITH(study_of(fake_plan(2), file.path), ContainsSubstring("other seed"));
}

TEST_CASE("a file that is not a study is refused by name", "[optuna]") {
  const TemporaryStudy file;
  std::ofstream(file.path) << std::string(4096, 'x');
  study_of(fake_plan());  // skips where there is no Optuna
  CHECK_THROWS_WITH(Study(fake_plan(), {python(), file.path}),
                    ContainsSubstring(file.path.filename().string()));
}

}  // namespace
}  // namespace harness::tune
