// Settings that `tuneproof tune` found, as the file of --config and as the option that a worker reads. No
// LibTorch: it reports a wrong file at once.
#pragma once

#include "harness/catalogue/knob.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace workloads::tuning {

/// Puts what the file of --config holds in the place of its name: settings that `tune` wrote, or a
/// configuration of STGym. Throws BadInput, naming file and place, where it is wrong.
void resolve(harness::Options& options);

/// Why a row of the step cannot run with the options; empty: it can. Throws what `resolve` throws.
std::string why_not(const harness::Options& options, std::string_view step);

/// The settings in the options, each with a value for every knob of the workload: those that a file leaves
/// out are standard. Empty where there are none, or another workload's. Throws BadInput where a name or a
/// value is not a knob's.
std::vector<harness::catalogue::Settings> settings_in(const harness::catalogue::TuningPlace& place,
                                                      std::string_view workload);

}  // namespace workloads::tuning
