// Two made-up programs on a clock of their own, for tests of what holds them against each other.
#pragma once

#include "harness/run/contest.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace harness::example {

struct Launched {
  run::ContestProcess process;
  run::Pass pass;
};

/// Each process takes 10 s. A run takes `seconds`, which also sees how many processes came before it.
struct FakePrograms {
  std::vector<Launched> launched = {};
  std::function<double(const Launched&, const results::Row&, Form)> seconds = [](const auto&, const auto&,
                                                                                 Form) { return 1.0; };
  std::function<std::vector<Figure>(run::ContestBuild)> figures = [](run::ContestBuild) {
    return std::vector<Figure>();
  };
  std::function<Statistic(run::ContestBuild)> statistic = [](run::ContestBuild) { return Statistic::median; };
  std::function<std::int64_t(run::ContestBuild)> iterations = [](run::ContestBuild) { return 3; };
  /// What becomes of a row instead of a result.
  std::function<bool(const Launched&, results::Row&)> fails = [](const auto&, results::Row&) {
    return false;
  };
  /// How long the canary of a process takes: over a fifth of the rounds apart makes a machine unstable.
  std::function<double(const Launched&)> canary = [](const auto&) { return 0.005; };
  std::function<std::optional<int>(const Launched&)> signal = [](const auto&) { return std::nullopt; };

  run::PassOutcome launch(const run::ContestProcess& process, const run::Pass& pass,
                          const std::function<void(results::Row)>& ended) {
    launched.push_back({process, pass});
    const auto now = launched.back();
    if (const auto came = signal(now)) return {.signal = came, .workers = 1};
    for (auto row : pass.rows) {
      if (!fails(now, row)) fill(row, now);
      ended(std::move(row));
    }
    return {.workers = 1, .disturbance = {.involuntary_switches = 2, .canary_seconds = {canary(now)}}};
  }

  run::Launch launcher() {
    return [this](const run::ContestProcess& process, const run::Pass& pass, const auto& ended) {
      return launch(process, pass, ended);
    };
  }

  run::Seconds clock() const { return run::Seconds(10.0 * static_cast<double>(launched.size())); }

 private:
  void fill(results::Row& row, const Launched& now) const {
    row.row_seconds = 10;
    if (!now.pass.round) {
      row.measured.iterations = iterations(now.process.build);
      row.measured.figures = figures(now.process.build);
      row.measured.statistic = statistic(now.process.build);
      return;
    }
    for (const auto form : {Form::naive, Form::optimized})
      row.measured.samples.push_back({.form = form, .seconds = seconds(now, row, form)});
  }
};

inline results::Row row_named(const std::string& name) {
  results::Row row;
  row.name = row.step = name;
  return row;
}

inline run::Pass pass_of(const std::vector<std::string>& names, std::optional<int> round) {
  run::Pass pass{.round = round, .look = 14};
  for (const auto& name : names) pass.rows.push_back(row_named(name));
  return pass;
}

/// The row fails, in that program and pass.
inline auto failing(const std::string& name, run::ContestBuild build, std::optional<int> round) {
  return [=](const Launched& now, results::Row& row) {
    if (row.name != name || now.process.build != build || now.pass.round != round) return false;
    row.judged.verdict = Verdict::failed;
    row.reason = "the worker was killed by signal 11 (Segmentation fault)";
    return true;
  };
}

}  // namespace harness::example
