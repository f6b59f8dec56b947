// A session of commands: opened, measured, shown.
#pragma once

#include "harness/machine/build_info.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/programs/plan.hpp"
#include "harness/results/results.hpp"
#include "harness/run/rounds.hpp"
#include "harness/run/run_output.hpp"
#include "harness/support/signals.hpp"

namespace harness::programs {

/// This build, at the commit of what is measured: `commit`, or git's in this folder, or the CI job's. The
/// text must outlive it.
BuildInfo build_at(const BuildInfo& build, std::string& commit);

/// What a results file says of the GPUs that the driver lists: no worker asks CUDA here.
Json probe_of(const NvmlReport& nvml);

/// This machine, and this build on it.
results::Fingerprint fingerprint_here(const BuildInfo& build);

/// A session that begins: a row for each command but the first. `seed`: as typed; empty: random.
results::Results open_session(const Plan& plan, double delta, const std::string& seed,
                              const BuildInfo& build);

/// Measures what is open in it; the signal that ended it, if one did. Throws BadInput where --setup,
/// --prepare or --cleanup fails, or the metric cannot be taken.
std::optional<int> measure(results::Results& results, const Plan& plan, const run::Limits& limits,
                           run::RunOutput& output, SignalWatch& signals);

/// Prints the table, and the document where it goes to standard output.
void show(const results::Results& results, const Plan& plan, run::RunOutput& output);

}  // namespace harness::programs
