// The session that measures the candidates of a search.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/results/results.hpp"
#include "harness/run/run_session.hpp"
#include "harness/support/signals.hpp"
#include "harness/tune/proof.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace harness::tune {

/// What the proof needs besides its candidates.
struct ProofOrder {
  const catalogue::Program& program;
  const BuildInfo& build;
  run::RunPlan plan;       // of the workload's step, resolved, on its device
  std::string probe_text;  // the worker's answer
  std::string timeout_text;
  std::filesystem::path file;     // where finished rounds are kept; one with the same plan goes on
  std::optional<Seconds> budget;  // what is left of it
};

struct ProofSession {
  results::Results results;
  std::optional<int> signal = {};  // that ended it early
};

/// Measures the candidates' rows up to their last look, or until the budget is spent. Throws BadInput where
/// the file cannot be written or holds something else.
ProofSession prove(const Plan& plan, const std::vector<Candidate>& candidates, ProofOrder order,
                   SignalWatch& signals);

/// About how many seconds a row of the workload's step takes up to its first look.
double row_seconds(const catalogue::Program& program, const catalogue::TunableWorkload& workload);

}  // namespace harness::tune
