// The search itself: asks for settings, has them trained, tells what came of it. Knows neither Optuna nor
// processes: a Searcher and a Trial function have both.
#pragma once

#include "harness/tune/judge_trials.hpp"
#include "harness/tune/plan.hpp"
#include "harness/tune/tried.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace harness::tune {

struct Asked {
  int number = 0;
  Settings settings;
};

/// Who decides what is tried next, and keeps what was tried. All but `name` may throw BadInput.
struct Searcher {
  std::string name;  // "Optuna 5.0.0 (TPE, median pruning)"
  /// What was tried before this process began.
  std::function<std::vector<Tried>()> history;
  /// Nothing: everything was tried.
  std::function<std::optional<Asked>(const std::vector<Tried>& trials)> ask;
  /// True: others were faster at this part.
  std::function<bool(int number, const run::PartTrained& part)> give_up;
  /// Keeps the trial before it returns. `broken`: broken_limits.
  std::function<void(const Tried& tried, const std::vector<double>& broken)> tell;
  /// Keeps a trial that was not asked for, and returns the number that it has now.
  std::function<int(const Tried& tried, const std::vector<double>& broken)> add = {};
};

/// What became of a trial that was begun.
struct Ended {
  Tried tried;
  std::optional<int> signal = {};  // it came first: the trial is as if it had never begun
};

/// Trains the settings; `give_up` is asked after each part.
using TrainSettings =
    std::function<Ended(const Asked& asked, const std::function<bool(const run::PartTrained&)>& give_up)>;

/// What the search tells while it goes on.
struct Progress {
  std::function<void(const Asked& asked, const std::vector<Tried>& trials)> begun;
  std::function<void(const Tried& tried, const std::vector<Tried>& trials)> ended;
};

struct Searched {
  std::vector<Tried> trials;
  std::optional<int> signal = {};  // that ended it early
  bool budget_spent = false;
  std::string without_standard =
      {};  // why the standard settings could not be trained: nothing can be compared
};

/// Goes on until the plan's trials are done, its share of the budget is spent, everything was tried or a
/// signal came. `clock`: since this command began.
Searched search(const Plan& plan, const Searcher& searcher, const TrainSettings& train,
                const Progress& progress, const std::function<Seconds()>& clock);

}  // namespace harness::tune
