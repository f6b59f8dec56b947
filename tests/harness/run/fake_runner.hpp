// Sessions whose rows are decided by their names, and a runner that takes the place of worker processes.
#pragma once

#include "harness/core/allot.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/core/verdict.hpp"
#include "harness/run/judge_row.hpp"
#include "harness/run/rounds.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness::run::fakes {

using results::Results;
using results::Row;

using Names = std::vector<std::string>;

inline Row planned(const std::string& name) {
  Row row;
  row.name = row.step = name;
  row.delta = 0.03;
  return row;
}

inline Results session_of(const Names& names, std::vector<int> looks = {14}) {
  Results results;
  results.session.seed = 7;
  results.session.suite = "full";
  results.session.threads = 1;
  results.session.looks = std::move(looks);
  results.session.alpha = 0.01;
  results.session.rows = names;
  for (const auto& name : names) results.rows.push_back(planned(name));
  return results;
}

inline Results allotted_session(const Names& names) {
  auto results = session_of(names, allotted_looks);
  results.session.early = early_looks;
  results.session.allotted = true;
  return results;
}

/// "fast" is decided at the first look, "noisy" at none, "near" after six rounds; other rows have no effect.
inline double log_ratio(const std::string& name, int round) {
  if (name.starts_with("fast")) return -0.5;
  const bool near = name.starts_with("near");
  if (!near && !name.starts_with("noisy")) return 0;
  Random random(row_seed(static_cast<std::uint64_t>(round), name));
  const auto scatter = static_cast<double>(random.below(1000)) / 500 - 1;
  return near ? 0.03 * scatter - 0.2 : 0.3 * scatter;
}

/// Stands in for the worker processes, on a clock of its own: 10 s a pass, or as `seconds` says.
struct FakeRunner {
  explicit FakeRunner(Results& state) : results(state) {}
  Results& results;
  double now = 0;
  std::vector<Pass> passes;
  std::vector<Json> stored;
  /// What becomes of a row instead of a result; of the pass once it is over.
  std::function<bool(Row&, const Pass&)> fails = [](Row&, const Pass&) { return false; };
  std::function<std::optional<int>(const Pass&)> signal = [](const Pass&) { return std::nullopt; };
  std::function<bool(double)> disturbed = [](double) { return true; };
  std::function<double(const Pass&)> seconds = [](const Pass&) { return 10.0; };
  int rows_per_pass = 1000;
  int rows_before_signal = 0;

  PassOutcome run(const Pass& pass, const std::function<void(Row)>& ended) {
    passes.push_back(pass);
    now += seconds(pass);
    const auto came = signal(pass);
    int done = came ? rows_per_pass - rows_before_signal : 0;
    for (auto row : pass.rows) {
      if (done++ == rows_per_pass) break;
      row.measured.iterations = 3;
      if (!fails(row, pass) && pass.round) {
        row.measured.log_ratios = {log_ratio(row.name, *pass.round)};
        row.measured.setup_seconds = {0.1};
        row.measured.switches = {0};
        row.measured.samples = {{.round = *pass.round, .seconds = 1}};
      }
      ended(std::move(row));
    }
    if (came) return {.signal = came, .workers = 1};
    return {.workers = 1, .disturbance = {.involuntary_switches = 5}};
  }

  std::optional<int> work(const Limits& limits = {}) {
    const Runner runner{.run = [this](const Pass& pass, const auto& ended) { return run(pass, ended); },
                        .clock = [this] { return Seconds(now); },
                        .store = [this] { stored.push_back(results_to_json(results)); },
                        .disturbed = disturbed};
    return Rounds(results, limits, runner).run();
  }
};

inline Names names_in(const Pass& pass) {
  Names names;
  for (const auto& row : pass.rows) names.push_back(row.name);
  return names;
}

inline bool has_flag(const Row& row, const std::string& flag) {
  return std::ranges::find(row.judged.flags, flag) != row.judged.flags.end();
}

/// The row fails in that round.
inline auto failing(const std::string& name, int round) {
  return [=](Row& row, const Pass& pass) {
    if (row.name != name || pass.round != round) return false;
    row.judged.verdict = Verdict::failed;
    row.reason = "the worker was killed by signal 11 (Segmentation fault)";
    row.stage = "worker";
    return true;
  };
}

}  // namespace harness::run::fakes
