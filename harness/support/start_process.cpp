#include "harness/support/start_process.hpp"

#include "harness/support/channel.hpp"

#include <algorithm>
#include <array>

namespace harness::inline support {
namespace {

/// The processes are the parallelism.
void take_one_thread(std::vector<std::string>& environment) {
  constexpr std::string_view threads = "OMP_NUM_THREADS=";
  if (std::ranges::none_of(environment, [&](const std::string& one) { return one.starts_with(threads); }))
    environment.emplace_back("OMP_NUM_THREADS=1");
}

}  // namespace

StartedProcess start_process(Command command, const Fd& memory) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_errno("making a process's socket");
  StartedProcess started;
  started.socket = Fd(ends[0]);
  const auto theirs = moved_up(Fd(ends[1]));
  take_one_thread(command.environment);
  // Nothing to read; what it prints goes to stderr, since stdout may carry somebody's results.
  started.process = spawn(command, {.descriptors = {{STDIN_FILENO},
                                                    {STDOUT_FILENO, STDERR_FILENO},
                                                    {socket_number, theirs.get()},
                                                    {memory_number, memory.get()}},
                                    .closed_from = memory_number + 1});
  return started;
}

std::string how_it_ended(pid_t& process) { return to_string(wait_for_end(std::exchange(process, -1))); }

}  // namespace harness::inline support
