// With the real Optuna, where the environment's Python has it.
#include "harness/tune/optuna.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include "harness/tune/yardstick.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
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
using example::planted_best;
using example::planted_cost;
using example::quiet;

std::string python() {
  const char* const named = std::getenv("TUNEPROOF_PYTHON");
  return named == nullptr ? "python3" : named;
}

/// Skips the test where there is no Optuna.
Study study_of(const Plan& plan, const std::string& storage = {}) {
  try {
    return Study(plan, {python(), storage});
  } catch (const BadInput& error) {
    if (std::string(error.what()).find("tune needs") != std::string::npos) SKIP(error.what());
    throw;
  }
}

std::vector<Tried> searched(const Plan& plan, const TrainSettings& train) {
  auto study = study_of(plan);
  return search(plan, study.searcher(), train, quiet(), no_time).trials;
}

std::vector<Settings> settings_of(const std::vector<Tried>& trials) {
  std::vector<Settings> all;
  for (const auto& tried : trials) all.push_back(tried.settings);
  return all;
}

struct TemporaryStudy {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof-study-" + std::to_string(getpid()) + ".db");
  TemporaryStudy() { std::filesystem::remove(path); }
  ~TemporaryStudy() { std::filesystem::remove(path); }
};

TEST_CASE("the first trials are the standard settings and then the advice", "[optuna]") {
  auto plan = fake_plan();
  plan.trials = 4;
  const auto trials = searched(plan, fake_training(planted_cost, 0, 1));
  REQUIRE(trials.size() == 4);
  CHECK(trials[0].settings == standard_of(plan));
  const auto advised = advised_settings(plan);
  for (std::size_t i = 0; i < advised.size(); ++i) CHECK(trials[i + 1].settings == advised[i]);
}

TEST_CASE("no settings are tried twice, and none that no training has", "[optuna]") {
  const auto trials = searched(fake_plan(), fake_training(planted_cost, 0.03, 1));
  const auto all = settings_of(trials);
  CHECK(all.size() == 40);
  CHECK(std::set(all.begin(), all.end()).size() == 40);
  for (const auto& settings : all) CHECK(catalogue::why_not(example::fake_clashes, settings).empty());
}

TEST_CASE("a knob with one value stands in the settings though it is not searched", "[optuna]") {
  auto plan = fake_plan();
  plan.knobs[4].values = {"4"};
  plan.trials = 6;
  for (const auto& tried : searched(plan, fake_training(planted_cost, 0, 1)))
    CHECK(tried.settings.at("threads") == "4");
}

TEST_CASE("a search ends when every setting was tried", "[optuna]") {
  auto plan = fake_plan();
  plan.fixed = {{"batch", "8"}, {"format", "fp32"}, {"threads", "4"}, {"channels", "no"}};
  const auto tried = searched(plan, fake_training(planted_cost, 0, 1));  // CHECK would fail where this skips
  CHECK(tried.size() == 8);
}

TEST_CASE("the same seed and the same answers give the same trials, another seed others", "[optuna]") {
  const auto once = settings_of(searched(fake_plan(5), fake_training(planted_cost, 0.03, 1)));
  CHECK(once == settings_of(searched(fake_plan(5), fake_training(planted_cost, 0.03, 1))));
  CHECK(once != settings_of(searched(fake_plan(6), fake_training(planted_cost, 0.03, 1))));
}

TEST_CASE("a planted optimum is among the best three of 40 trials in 19 of 20 searches", "[optuna]") {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto plan = fake_plan(seed);
    const auto best = best_first(plan, searched(plan, fake_training(planted_cost, 0.03, seed)));
    const auto end = best.begin() + std::min<std::ptrdiff_t>(3, std::ssize(best));
    found +=
        std::find_if(best.begin(), end, [](const Found& one) { return one.settings == planted_best; }) != end;
  }
  INFO(found << " of 20");
  CHECK(found >= 19);
}

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
        search_with_yardstick(plan, study.searcher(), fake_training(planted_cost, 0.03, 1), quiet(), no_time).trials;
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
  const auto all = search(plan, study.searcher(), fake_training(planted_cost, 0.03, 1), quiet(), no_time).trials;
  const auto numbers = [&] {
    std::set<int> seen;
    for (const auto& tried : all) seen.insert(tried.number);
    return seen;
  }();
  CHECK(numbers.size() == all.size());
  CHECK(std::ranges::count(all, advised_settings(plan)[1], &Tried::settings) == 1);
}

TEST_CASE("a name with characters that mean something in a URL is a file of that name", "[optuna]") {
  study_of(fake_plan());  // skips where there is no Optuna
  const auto folder = std::filesystem::temp_directory_path() / ("tuneproof-names-" + std::to_string(getpid()));
  for (const auto* name : {"a?b.db", "a{b}.db", "a%20b#c.db", ":memory:", "file:x.db"}) {
    INFO(name);
    std::filesystem::create_directories(folder);
    study_of(fake_plan(), folder / name);
    CHECK(std::filesystem::file_size(folder / name) > 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
    std::filesystem::remove_all(folder);
  }
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

TEST_CASE("a program that is no Python is told what is needed", "[study]") {
  CHECK_THROWS_WITH(Study(fake_plan(), {"true", ""}),
                    ContainsSubstring("--python") && ContainsSubstring("--grid"));
}

TEST_CASE("a study of another plan is refused, and what differs is named", "[optuna]") {
  const TemporaryStudy file;
  study_of(fake_plan(), file.path);
  CHECK_THROWS_WITH(study_of(fake_plan(2), file.path), ContainsSubstring("other seed"));
}

TEST_CASE("settings that break a limit are reported and do not win", "[optuna]") {
  auto plan = fake_plan();
  plan.memory = 16e6;
  const auto trials = searched(plan, fake_training(planted_cost, 0, 1));
  CHECK(std::stod(best_first(plan, trials).front().settings.at("batch")) <= 16);
  const auto late = std::count_if(trials.end() - 10, trials.end(), [](const Tried& tried) {
    return std::stod(tried.settings.at("batch")) > 16;
  });
  CHECK(late <= 5);  // the sampler has learnt where the limit is
}

TEST_CASE("slow trials are given up on", "[optuna]") {
  const auto trials = searched(fake_plan(), fake_training(planted_cost, 0, 1));
  CHECK(std::ranges::count(trials, State::pruned, &Tried::state) >= 3);
}

TEST_CASE("with two objectives nothing is given up on, and the front has both ends", "[optuna]") {
  auto plan = fake_plan();
  plan.pareto = true;
  const auto trials = searched(plan, fake_training(planted_cost, 0, 1));
  CHECK(std::ranges::count(trials, State::pruned, &Tried::state) == 0);
  const auto front = pareto_front(plan, trials);
  CHECK(front.size() >= 3);
  CHECK(front.back().settings.at("batch") == "4");
}

TEST_CASE("without Python one sentence says what to do", "[study]") {
  CHECK_THROWS_WITH(Study(fake_plan(), {"no-such-python", ""}),
                    ContainsSubstring("no-such-python") && ContainsSubstring("--grid"));
}

TEST_CASE("the message distinguishes a Python without Optuna from no Python", "[study]") {
  // -I would not keep an installed Optuna out: a module of that name that cannot be imported does.
  const auto folder =
      std::filesystem::temp_directory_path() / ("tuneproof-no-optuna-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "optuna.py") << "raise ImportError('No module named optuna')\n";
  setenv("PYTHONPATH", folder.c_str(), 1);
  CHECK_THROWS_WITH(Study(fake_plan(), {python(), ""}),
                    ContainsSubstring("pip install optuna==") && ContainsSubstring("--grid"));
  unsetenv("PYTHONPATH");
  std::filesystem::remove_all(folder);
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
