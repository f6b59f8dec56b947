// Tries settings one after the other, as the study asks for them.
#pragma once

#include "harness/run/run_output.hpp"
#include "harness/support/signals.hpp"
#include "harness/tune/study.hpp"
#include "harness/versus/plan.hpp"
#include "harness/versus/timed_run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace harness::tune {

struct SearchPlan {
  versus::Plan plan;  // how a command is run and what is compared; the command as it stands is its only one
  std::string prepare = {}, setup = {};
  std::string per = {};  // the knob that the metric is divided by; empty: none
  int trials = 40;
  std::optional<versus::Seconds> budget = {};
};

/// The command at these settings, as one that versus compares.
versus::Candidate candidate_at(const Template& command, const SearchPlan& plan, const Settings& settings);

struct Searched {
  std::vector<Tried> tried;  // those of earlier searches in the same study first
  std::optional<int> signal = {};
};

/// Throws BadInput where the command as it stands fails, for then there is nothing to compare with.
Searched search(const Template& command, const SearchPlan& plan, Study& study, run::RunOutput& output,
                SignalWatch& signals);

/// The best settings but the standard ones, the fastest first.
std::vector<Tried> best_of(const std::vector<Tried>& tried, const Settings& standard, std::size_t most);

}  // namespace harness::tune
