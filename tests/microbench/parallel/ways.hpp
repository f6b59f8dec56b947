// The ways to average gradients as a made-up step in FP64, right ones and wrong ones.
#pragma once

#include "harness/core/step.hpp"
#include "harness/run/select.hpp"

#include <string_view>

namespace ways {

harness::Steps steps();

/// The row "ways/gradient/way:WAY".
harness::run::StepAt row(std::string_view way);

}  // namespace ways
