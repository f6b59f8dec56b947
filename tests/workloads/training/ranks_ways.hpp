// Trainings in FP64 on several ranks as a made-up step, right ones and wrong ones.
#pragma once

#include "harness/core/step.hpp"
#include "harness/run/select.hpp"

#include <string_view>

namespace ranks_ways {

/// The made-up step, and the rungs of several processes.
harness::Steps steps();

/// The row "ways/training/model:MODEL/way:WAY".
harness::run::StepAt row(std::string_view model, std::string_view way);

}  // namespace ranks_ways
