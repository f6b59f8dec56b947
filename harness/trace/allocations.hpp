// Allocations that no operator made.
#pragma once

#include "harness/trace/nesting.hpp"
#include "harness/trace/trace.hpp"

#include <cstdint>
#include <vector>

namespace harness {

/// Memory events at a time when no host event of any thread runs: PyTorch's row "[memory]".
std::int64_t allocations_outside(const Trace& trace, const Nesting& nesting, const std::vector<bool>& inside);

}  // namespace harness
