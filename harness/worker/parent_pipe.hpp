// A worker's side of the pipes to its parent.
#pragma once

#include "harness/support/child.hpp"

namespace harness::worker {

/// Keeps the descriptor of events from what a step starts: it must not hold the pipe open, nor write to it.
/// False, and a sentence on standard error, where there is none: nobody started this program as a worker.
bool keep_events_to_ourselves();

/// Writes the line to the parent. Throws std::system_error where it is gone.
void tell_parent(const std::string& line);

/// Ends this process with its parent, where the last arguments are `--parent PID`: a worker that is only
/// asked a question gets them.
void die_with_parent(int& argc, char** argv);

/// Ends the process, as it ended well. Neither LibTorch's threads nor CUDA's teardown, which throws on a lost
/// device, may spoil what has been reported: an exit code would be held against the next row.
[[noreturn]] void leave();

}  // namespace harness::worker
