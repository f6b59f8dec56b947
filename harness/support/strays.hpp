// What a child of ours has started and left behind.
#pragma once

#include "harness/support/child.hpp"

namespace harness::inline support {

/// The children of this process, those that it has inherited included.
std::set<pid_t> children_of_ours();

/// Ends what a child has left behind, not the `others`, which this process had before. As the nearest reaper
/// (PR_SET_CHILD_SUBREAPER) it inherits them when the child ends. Waits for `time_to_be_gone` at most.
void end_strays(const std::set<pid_t>& others);

}  // namespace harness::inline support
