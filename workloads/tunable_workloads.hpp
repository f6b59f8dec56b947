// The workloads that `tuneproof tune` knows. No LibTorch.
#pragma once

#include "harness/catalogue/knob.hpp"

#include <span>
#include <string_view>

namespace workloads {

std::span<const harness::catalogue::TunableWorkload> tunable_workloads();

/// The one of that name, or null.
const harness::catalogue::TunableWorkload* tunable_workload(std::string_view workload);

}  // namespace workloads
