// What `versus` says: a table for a person, and a report for CI.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/programs/plan.hpp"
#include "harness/results/results.hpp"
#include "harness/support/terminal.hpp"

namespace harness::programs {

/// One line for each command, the first on top, and what to know about the whole.
std::string versus_text(const results::Results& results, const Plan& plan, const Style& style);

/// What a report for CI is called.
std::string title_of(const Plan& plan);

/// The same for CI: a command that is slower fails where the plan says that it does.
compare::CiReport versus_ci(const results::Results& results, const Plan& plan, bool strict);

}  // namespace harness::programs
