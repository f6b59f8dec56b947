// A process that works for this one: it finds a socket and shared memory at the numbers of channel.hpp.
#pragma once

#include "harness/support/fd.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace harness::loader {

/// What runs.
struct ProcessCall {
  std::string executable;
  std::vector<std::string> arguments;         // behind the executable's name
  std::vector<std::string> environment = {};  // "NAME=value", in place of what this process's says
};

struct StartedProcess {
  pid_t process = -1;
  Fd socket;  // this end of it
};

/// Started afresh, never forked: a fork after CUDA has started inherits a broken context. With one OpenMP
/// thread, unless the call says otherwise. Throws std::system_error where it cannot be started.
StartedProcess start_process(const ProcessCall& call, const Fd& memory);

/// Waits for the end of a process that has closed its socket or was killed: "was killed by signal 9
/// (Killed)". `process` is -1 from then on.
std::string how_it_ended(pid_t& process);

}  // namespace harness::loader
