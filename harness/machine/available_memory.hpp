// How much memory there is to take.
#pragma once

#include "harness/machine/host.hpp"

#include <cstddef>

namespace harness::inline machine {

/// Bytes that this process can still take: the machine's, or fewer where its control group (a container's)
/// has a limit. The largest size_t where neither is known.
std::size_t available_memory(const SystemFiles& files = SystemFiles());

}  // namespace harness::inline machine
