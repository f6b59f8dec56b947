// Asks before it takes: a data set that does not fit is a skipped step, not a killed process.
#pragma once

#include <cstddef>
#include <string_view>

namespace workloads::stgym {

/// What the allocator of pinned memory takes for a block of so many bytes: the next power of two.
std::size_t pinned_bytes(std::size_t bytes);

/// Throws harness::Skip with both figures where fewer than `bytes` are available for `what`.
void require_memory(std::size_t bytes, std::string_view what = "the data set needs");

}  // namespace workloads::stgym
