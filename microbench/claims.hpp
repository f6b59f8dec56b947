// The published claims that no step covers, and why.
#pragma once

#include "harness/core/published.hpp"

#include <span>

namespace microbench {

/// Sorted as docs/claims.md has them. With the claim ids of the steps they are all of them: a test adds up.
std::span<const harness::Claim> claims_without_step();

}  // namespace microbench
