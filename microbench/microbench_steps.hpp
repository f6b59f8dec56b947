// The tips, as steps.txt lists them.
#pragma once

#include "harness/core/step.hpp"

namespace microbench {

/// All steps of this folder, in the order of steps.txt.
harness::Steps steps();

}  // namespace microbench
