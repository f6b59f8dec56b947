// What is searched, how long, and within which limits.
#pragma once

#include "harness/catalogue/knob.hpp"
#include "harness/support/field.hpp"
#include "harness/tune/tried.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace harness::tune {

using Seconds = std::chrono::duration<double>;

struct Plan {
  catalogue::TunableWorkload workload;
  std::vector<catalogue::Knob> knobs = {};  // all of the workload's
  Settings fixed = {};                      // knobs that keep a value: --fix
  Options options = {};                     // of the workload, resolved
  Device device = {};
  int threads = 1;
  std::uint64_t seed = 1;
  int trials = 40;
  std::optional<Seconds> budget = {};  // of search and proof together
  std::optional<double> memory = {};   // bytes that a training may take
  double margin = 0.05;                // by which the loss may be worse than that of the standard settings
  double row_seconds = 0;              // of a row of the proof up to its first look, as the catalogue has it
  bool pareto = false;                 // two objectives: time and memory
  bool grid = false;                   // successive halving, without Python
};

/// The share of the budget that the search may take; the proof has the rest.
inline constexpr double search_share = 0.6;
/// Seconds of the budget that the search may take. Where a trial takes `slowdown` times as long as usual, so
/// does the proof: the search leaves room for its first look, but has 30 % in any case.
double search_seconds(const Plan& plan, double slowdown);
/// How many candidates can be proven in so many seconds: at least one, at most catalogue::most_settings.
std::size_t affordable_candidates(const Plan& plan, double slowdown, double seconds);

/// The standard settings, with what is fixed in its place.
Settings standard_of(const Plan& plan);
/// The knobs that take part: those that are not fixed, and have a choice.
std::vector<catalogue::Knob> searched_knobs(const Plan& plan);
/// The settings where every knob keeps its standard value but those that checklists advise to change: each of
/// these alone, then all together. What no training has is left out.
std::vector<Settings> advised_settings(const Plan& plan);
/// How many settings there are.
double size_of(const Plan& plan);

/// What must be the same for a search to go on: its members are named in the sentence where it is not.
Json plan_to_json(const Plan& plan);

}  // namespace harness::tune
