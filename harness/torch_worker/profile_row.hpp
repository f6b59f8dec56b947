// One row under PyTorch's profiler.
#pragma once

#include "harness/worker/surroundings.hpp"

namespace harness::torch_worker {

/// See Surroundings::profile.
void profile_into(results::Row& row, const run::StepAt& found, const Trial& trial,
                  const run::ProfilePlan& plan, const worker::Walked& walked);

}  // namespace harness::torch_worker
