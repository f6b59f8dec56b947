// A program of ours that another of ours has started, and that is to end with it.
#pragma once

#include "harness/support/spawn.hpp"

#include <csignal>

namespace harness::inline support {

/// The signal comes as soon as the parent has ended, however that ended. Where it has ended already, this
/// process ends here.
void end_with_parent(pid_t parent, int signal = SIGKILL);

/// This program once more, which ends with us: as SIGTERM ends it, so that it leaves nothing behind.
Command again(const std::filesystem::path& self, std::vector<std::string> arguments);

/// Takes away what `again` has put before the arguments, and does it.
void take_parent(int& argc, char**& argv);

}  // namespace harness::inline support
