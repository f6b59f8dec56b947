// Is the host fit to measure on? From /proc and /sys; nothing here needs root.
#pragma once

#include "harness/machine/system_files.hpp"
#include "harness/run/doctor.hpp"

namespace harness::run {

/// One check per subject, in the order in which they are printed.
std::vector<Check> host_checks(const SystemFiles& files);

}  // namespace harness::run
