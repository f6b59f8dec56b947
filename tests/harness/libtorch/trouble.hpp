// Made-up steps whose ranks do what ranks should not.
#pragma once

#include "harness/core/step.hpp"
#include "harness/run/select.hpp"

#include <string_view>

namespace trouble {

/// What rank 1 does wrong, and when: the points of the step `trouble/rank`.
harness::Steps steps();

/// The row "trouble/rank/does:WHAT/at:WHEN".
harness::run::StepAt row(std::string_view does, std::string_view at);

}  // namespace trouble
