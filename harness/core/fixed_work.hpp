// A benchmark of one form, as two commits of a program are compared by: fixed work stands beside it as the
// other form, which no commit changes, and so shows what the machine does.
#pragma once

#include "harness/core/step.hpp"

namespace harness::inline core {

/// What the first side of such a step is called.
inline constexpr std::string_view fixed_work_side = "fixed work";

/// The set of a form that has no other: `work`, and fixed work that takes about as long. In a comparison both
/// programs take the amount that was found in the base.
Trial beside_fixed_work(Setup& setup, std::function<void()> work);

}  // namespace harness::inline core
