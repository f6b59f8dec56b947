// A process that works for this one: it finds a socket and shared memory at the numbers of channel.hpp.
#pragma once

#include "harness/support/fd.hpp"
#include "harness/support/spawn.hpp"

namespace harness::inline support {

struct StartedProcess {
  pid_t process = -1;
  Fd socket;  // this end of it
};

/// Started afresh, never forked: a fork after CUDA has started inherits a broken context. With one OpenMP
/// thread, unless the command says otherwise. Throws std::system_error where it cannot be started.
StartedProcess start_process(Command command, const Fd& memory);

/// Waits for the end of a process that has closed its socket or was killed: "was killed by signal 9
/// (Killed)". `process` is -1 from then on.
std::string how_it_ended(pid_t& process);

}  // namespace harness::inline support
