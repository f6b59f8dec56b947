// How much memory there is to take.
#pragma once

#include <cstddef>
#include <string>

namespace harness::inline machine {

/// Bytes that this process can still take: the machine's, or fewer where its control group (a container's)
/// has a limit. The largest size_t where neither is known. `root` stands for "/" in tests.
std::size_t available_memory(const std::string& root = "");

}  // namespace harness::inline machine
