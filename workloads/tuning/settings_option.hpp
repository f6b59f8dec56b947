// Settings of a workload's knobs, as the option that a worker reads. No LibTorch.
#pragma once

#include "harness/catalogue/knob.hpp"

#include <vector>

namespace workloads::tuning {

/// The settings in the options, each with a value for every knob of the workload: those that a file leaves
/// out are standard. Empty where there are none, or another workload's. Throws BadInput where a name or a
/// value is not a knob's.
std::vector<harness::catalogue::Settings> settings_in(const harness::catalogue::TuningPlace& place,
                                                      const harness::catalogue::TunableWorkload& workload);

}  // namespace workloads::tuning
