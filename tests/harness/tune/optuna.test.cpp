// What the real Optuna asks for, where the environment's Python has it.
#include "harness/tune/optuna.hpp"

#include "tests/harness/tune/optuna_study.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
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
using example::python;
using example::quiet;
using example::searched;
using example::settings_of;
using example::study_of;

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

TEST_CASE("a name with characters that mean something in a URL is a file of that name", "[optuna]") {
  study_of(fake_plan());  // skips where there is no Optuna
  const auto folder =
      std::filesystem::temp_directory_path() / ("tuneproof-names-" + std::to_string(getpid()));
  for (const auto* name : {"a?b.db", "a{b}.db", "a%20b#c.db", ":memory:", "file:x.db"}) {
    INFO(name);
    std::filesystem::create_directories(folder);
    study_of(fake_plan(), folder / name);
    CHECK(std::filesystem::file_size(folder / name) > 0);
    CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
    std::filesystem::remove_all(folder);
  }
}

TEST_CASE("a program that is no Python is told what is needed", "[study]") {
  CHECK_THROWS_WITH(Study(fake_plan(), {"true", ""}),
                    ContainsSubstring("--python") && ContainsSubstring("--grid"));
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

}  // namespace
}  // namespace harness::tune
