#pragma once

#include "harness/machine/system_files.hpp"

namespace harness::inline machine {

/// CPU seconds since boot that this machine's CPUs were ready to run and the host gave to others; all CPUs
/// together. 0 where /proc/stat does not say.
double steal_seconds(const SystemFiles& files = SystemFiles());

}  // namespace harness::inline machine
