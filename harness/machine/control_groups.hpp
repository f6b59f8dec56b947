// The control groups that this process is in: what they limit holds for all below them.
#pragma once

#include "harness/machine/system_files.hpp"

#include <string>
#include <vector>

namespace harness::inline machine {

/// Their folders below the root, the process's own group first and the top last: "sys/fs/cgroup/a/b",
/// "sys/fs/cgroup/a", "sys/fs/cgroup". `controller` names a hierarchy of version 1, "cpu"; empty: version 2,
/// which has one hierarchy. Only the top where /proc does not say, and in a container.
std::vector<std::string> control_groups(const SystemFiles& files, const std::string& controller = "");

}  // namespace harness::inline machine
