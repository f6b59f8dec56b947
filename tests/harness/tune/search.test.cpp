#include "harness/tune/search.hpp"

#include "tests/harness/tune/fake_workload.hpp"

#include "harness/tune/halving.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <unistd.h>

namespace harness::tune {
namespace {

using Catch::Matchers::ContainsSubstring;
using example::fake_plan;
using example::fake_training;
using example::no_time;
using example::planted_cost;
using example::quiet;
using example::with;

Searched halved(const Plan& plan, TrialStore& store, const TrainSettings& train) {
  return search(plan, halving(plan, store), train, quiet(), no_time);
}

Searched halved(const Plan& plan, const TrainSettings& train) {
  TrialStore store({}, plan);
  return halved(plan, store, train);
}

std::vector<Settings> settings_of(const std::vector<Tried>& trials) {
  std::vector<Settings> all;
  for (const auto& tried : trials) all.push_back(tried.settings);
  return all;
}

/// A file that is gone with the test.
struct TemporaryFile {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof-tune-" + std::to_string(getpid()) + ".json");
  TemporaryFile() { std::filesystem::remove(path); }
  ~TemporaryFile() { std::filesystem::remove(path); }
};

TEST_CASE("the contestants are the standard settings, the advice, and others by the seed", "[halving]") {
  const auto all = contestants(fake_plan());
  CHECK(all[0] == standard_of(fake_plan()));
  CHECK(all[1] == with(fake_plan(), {{"batch", "64"}}));
  CHECK(all.size() == 16);
  CHECK(std::set(all.begin(), all.end()).size() == 16);
  CHECK(all == contestants(fake_plan()));
  CHECK(all != contestants(fake_plan(2)));
  for (const auto& settings : all) CHECK(catalogue::why_not(example::fake_clashes, settings).empty());
}

TEST_CASE("16 contestants take 40 trials, the last two eight each", "[halving]") {
  const auto trials = halved(fake_plan(), fake_training(planted_cost, 0, 1)).trials;
  CHECK(trials.size() == 40);
  std::map<Settings, int> times;
  for (const auto& tried : trials) ++times[tried.settings];
  std::multiset<int> counts;
  for (const auto& [settings, count] : times) counts.insert(count);
  CHECK(counts == std::multiset<int>{1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 8, 8});
}

TEST_CASE("without noise the fastest contestant is left", "[halving]") {
  const auto plan = fake_plan();
  const auto trials = halved(plan, fake_training(planted_cost, 0, 1)).trials;
  auto best = contestants(plan).front();
  for (const auto& one : contestants(plan))
    if (planted_cost(one) < planted_cost(best)) best = one;
  CHECK(best_first(plan, trials).front().settings == best);
}

TEST_CASE("the same seed and the same answers give the same trials", "[halving]") {
  const auto once = halved(fake_plan(), fake_training(planted_cost, 0.05, 3)).trials;
  const auto again = halved(fake_plan(), fake_training(planted_cost, 0.05, 3)).trials;
  CHECK(settings_of(once) == settings_of(again));
}

TEST_CASE("a search that is stopped goes on as if it had not been: no trial is lost or done twice",
          "[halving]") {
  const auto plan = fake_plan();
  const auto whole = halved(plan, fake_training(planted_cost, 0.05, 3)).trials;
  for (const int stopped : {0, 1, 7, 16, 23, 39}) {
    const TemporaryFile file;
    int begun = 0;
    const auto training = fake_training(planted_cost, 0.05, 3);
    const TrainSettings until_signal = [&](const Asked& asked, const auto& give_up) {
      if (begun++ == stopped) return Ended{{}, SIGTERM};
      return training(asked, give_up);
    };
    {
      TrialStore store(file.path, plan);
      CHECK(halved(plan, store, until_signal).signal == SIGTERM);
    }
    TrialStore store(file.path, plan);
    CHECK(std::ssize(store.trials()) == stopped);
    const auto resumed = halved(plan, store, training).trials;
    CHECK(settings_of(resumed) == settings_of(whole));
    for (std::size_t i = 0; i < resumed.size(); ++i) CHECK(resumed[i].number == static_cast<int>(i));
  }
}

TEST_CASE("a file of another plan is refused, and what differs is named", "[store]") {
  const TemporaryFile file;
  TrialStore(file.path, fake_plan()).add(example::tried(0, standard_of(fake_plan()), 1));
  CHECK_THROWS_WITH(TrialStore(file.path, fake_plan(2)), ContainsSubstring("other seed"));
  CHECK_NOTHROW(TrialStore(file.path, fake_plan()));
}

TEST_CASE("a search reports settings that no training has as failed, and never trains them", "[search]") {
  auto plan = fake_plan();
  plan.trials = 1;
  const auto impossible = with(plan, {{"compiled", "yes"}, {"format", "bf16"}});
  std::vector<Tried> told;
  const Searcher searcher{.name = "",
                          .history = [] { return std::vector<Tried>(); },
                          .ask = [&](const auto&) { return std::optional(Asked{0, impossible}); },
                          .give_up = [](int, const auto&) { return false; },
                          .tell = [&](const Tried& tried, const auto&) { told.push_back(tried); }};
  int trained = 0;
  const TrainSettings train = [&](const Asked&, const auto&) {
    ++trained;
    return Ended{};
  };
  search(plan, searcher, train, quiet(), no_time);
  CHECK(trained == 0);
  REQUIRE(told.size() == 1);
  CHECK(told[0].reason == "the compiled step is in FP32");
}

TEST_CASE("standard settings that fail end the search, and are trained again next time", "[search]") {
  const auto plan = fake_plan();
  const TemporaryFile file;
  const TrainSettings fails = [](const Asked& asked, const auto&) {
    return Ended{{.number = asked.number,
                  .settings = asked.settings,
                  .state = State::failed,
                  .answer = {},
                  .reason = "out of memory"}};
  };
  {
    TrialStore store(file.path, plan);
    const auto searched = halved(plan, store, fails);
    CHECK(searched.without_standard == "out of memory");
    CHECK(searched.trials.empty());
  }
  TrialStore store(file.path, plan);
  CHECK(halved(plan, store, fake_training(planted_cost, 0, 1)).trials.front().settings == standard_of(plan));
}

TEST_CASE("no trial begins once the search's share of the budget is spent", "[search]") {
  auto plan = fake_plan();
  plan.budget = Seconds(100);
  double now = 0;
  const auto training = fake_training(planted_cost, 0, 1);
  const TrainSettings slow = [&](const Asked& asked, const auto& give_up) {
    now += 10;
    auto ended = training(asked, give_up);
    ended.tried.seconds = 10;
    return ended;
  };
  TrialStore store({}, plan);
  const auto searched = search(plan, halving(plan, store), slow, quiet(), [&] { return Seconds(now); });
  CHECK(searched.budget_spent);
  CHECK(searched.trials.size() ==
        5);  // a sixth is what the standard settings take when they are trained again
}

TEST_CASE("on a slow machine the search leaves more of the budget to the proof, and fewer candidates",
          "[plan]") {
  auto plan = fake_plan();
  plan.budget = Seconds(600);
  plan.row_seconds = 30;
  CHECK(search_seconds(plan, 1) == 360);
  CHECK(search_seconds(plan, 3) == 240);
  CHECK(search_seconds(plan, 100) == 180);
  CHECK(affordable_candidates(plan, 1, 240) == 4);
  CHECK(affordable_candidates(plan, 4, 260) == 2);
  CHECK(affordable_candidates(plan, 100, 260) == 1);
  auto slow = example::tried(0, standard_of(plan), 1);
  slow.seconds = 12;
  CHECK(slowdown(plan, std::vector{slow}) == 3);
}

TEST_CASE("the standard settings are never given up on", "[search]") {
  auto plan = fake_plan();
  plan.trials = 2;
  int asked = 0;
  const Searcher searcher{.name = "",
                          .history = [] { return std::vector<Tried>(); },
                          .ask =
                              [&](const auto&) {
                                const auto settings =
                                    asked == 0 ? standard_of(plan) : with(plan, {{"batch", "4"}});
                                return std::optional(Asked{asked++, settings});
                              },
                          .give_up = [](int, const auto&) { return true; },
                          .tell = [](const auto&, const auto&) {}};
  const auto trials = search(plan, searcher, fake_training(planted_cost, 0, 1), quiet(), no_time).trials;
  CHECK(trials[0].state == State::complete);
  CHECK(trials[1].state == State::pruned);
}

}  // namespace
}  // namespace harness::tune
