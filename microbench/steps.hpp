// Table of contents: one line per file below this folder, in reading order.
#pragma once

#include "harness/step.hpp"

namespace microbench {

extern const harness::Step sync_item_every_step;

/// All steps of this folder.
harness::Steps steps();

}  // namespace microbench
