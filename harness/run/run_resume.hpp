// `run --resume FILE`: an interrupted measurement goes on as if it had not been interrupted.
#pragma once

#include "harness/machine/build_info.hpp"
#include "harness/results/results.hpp"
#include "harness/run/run_arguments.hpp"

namespace harness::run {

/// The file of an interrupted session. Throws BadInput where it cannot be read, or where the arguments ask
/// for another plan than the file has.
results::Results read_interrupted(const RunArguments& arguments);

/// The plan that the file's session was made with. `selection` has the device only.
RunPlan plan_of(const results::Results& results, const RunArguments& arguments);

/// Throws BadInput unless this machine, this software and this program are those of the file.
void require_same_place(const results::Results& results, const results::Fingerprint& here,
                        const BuildInfo& build, const std::string& file);

}  // namespace harness::run
