// The tips, as steps.txt lists them.
#pragma once

#include "harness/step.hpp"

namespace microbench {

/// All steps of this folder, in the order of steps.txt.
harness::Steps steps();

}  // namespace microbench
