// Checks the options of all workloads before a worker starts, and reads the file of --config, a
// configuration of STGym. No LibTorch: it reports a wrong one at once.
#pragma once

#include "harness/core/setup.hpp"

namespace workloads {

/// Puts what the file of --config holds in the place of its name, and checks the other options: numbers,
/// data, and that their files are there. Throws BadInput, naming file and place, where one is wrong.
void resolve_options(harness::Options& options);

/// Why a row of the step cannot run with the options; empty: it can. Throws what `resolve_options` throws.
std::string why_not(const harness::Options& options, std::string_view step);

}  // namespace workloads
