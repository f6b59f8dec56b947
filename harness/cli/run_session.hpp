#pragma once

#include "harness/cli/run_arguments.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/record/results.hpp"

namespace harness {

/// The error that a verdict may have, split over the looks (measuring.md 2.2).
constexpr double session_alpha = 0.01;

/// A session that begins now; `device` is where the steps run that run on one device only.
Session new_session(const RunPlan& plan, const Device& device, const BuildInfo& build);

}  // namespace harness
