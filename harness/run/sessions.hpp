// The sessions of a self-test, one after the other: which truth is planted in which, and when it ends. Knows
// neither processes nor the clock.
#pragma once

#include "harness/core/plant.hpp"
#include "harness/results/results.hpp"
#include "harness/run/self_test.hpp"
#include "harness/run/supervisor.hpp"

namespace harness::run {

/// What is planted in the n-th session, from 0. Of six sessions four are A/A, and those with a slowdown lie
/// between them, so that a self-test that ends early has some of each.
Planted planted_in(int session);

/// How many sessions give enough comparisons of so many pairs to prove the targets, some pairs being too
/// noisy to see the slowdown; 0 pairs: 0.
int sessions_for(int pairs);

/// The plant of a session's task.
Plant plant_of(Planted planted, double share);

struct SessionsPlan {
  std::vector<results::Row> rows = {};  // blank
  int sessions = 0;                     // 0: until the budget is spent
  std::optional<Seconds> budget = {};   // no session begins that would end later; the first one always does
};

/// One session, about to be taken.
struct SessionView {
  int number = 0;  // from 0
  Planted planted = Planted::nothing;
};

/// Who takes the sessions.
struct SessionRunner {
  /// Measures the rows of the results, whose session has seed and looks. Returns the signal that ended it.
  std::function<std::optional<int>(results::Results& results, const SessionView& view)> run;
  std::function<Seconds()> clock;
  /// Called after each session.
  std::function<void()> store;
};

/// Takes the sessions; those that were completed stand in `test`. Returns the signal that ended it early.
std::optional<int> run_sessions(SelfTest& test, const SessionsPlan& plan, const SessionRunner& runner);

}  // namespace harness::run
