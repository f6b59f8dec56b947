// Asks before it takes: a data set that does not fit is a skipped step, not a killed process.
#pragma once

#include <cstddef>
#include <string_view>

namespace workloads::stgym {

/// Throws harness::Skip with both figures where the machine has fewer than `bytes` of memory available for
/// `what`.
void require_memory(std::size_t bytes, std::string_view what = "the data set needs");

}  // namespace workloads::stgym
