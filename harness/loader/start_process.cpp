#include "harness/loader/start_process.hpp"

#include "harness/loader/channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace harness::loader {
namespace {

/// Above the numbers that a worker finds its own under, so that moving one never overwrites another.
Fd out_of_the_way(Fd low) {
  Fd high(fcntl(low.get(), F_DUPFD_CLOEXEC, 16));
  if (high.get() < 0) throw_errno("a loader's descriptor");
  return high;
}

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

/// The call's variables and one OpenMP thread, since the processes are the parallelism; else this process's.
std::vector<std::string> environment_of(const ProcessCall& call) {
  auto all = call.environment;
  const auto add = [&](std::string_view variable) {
    if (std::ranges::find(all, name_of(variable), name_of) == all.end()) all.emplace_back(variable);
  };
  add("OMP_NUM_THREADS=1");
  for (char** entry = environ; *entry != nullptr; ++entry) add(*entry);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// What the worker inherits: stderr, nothing to read, its two descriptors. What it prints goes to stderr,
/// since stdout may carry somebody's results.
struct SpawnActions {
  SpawnActions(const Fd& socket, const Fd& memory) {
    posix_spawn_file_actions_init(&raw);
    posix_spawn_file_actions_addopen(&raw, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&raw, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&raw, socket.get(), socket_number);
    posix_spawn_file_actions_adddup2(&raw, memory.get(), memory_number);
    posix_spawn_file_actions_addclosefrom_np(&raw, memory_number + 1);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() { posix_spawn_file_actions_destroy(&raw); }
  posix_spawn_file_actions_t raw{};
};

}  // namespace

StartedProcess start_process(const ProcessCall& call, const Fd& memory) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw_errno("making a process's socket");
  StartedProcess started;
  started.socket = Fd(ends[0]);
  const auto theirs = out_of_the_way(Fd(ends[1]));
  const SpawnActions actions(theirs, memory);
  auto arguments = call.arguments;
  arguments.insert(arguments.begin(), call.executable);
  auto environment = environment_of(call);
  const int error = posix_spawn(&started.process, call.executable.c_str(), &actions.raw, nullptr,
                                pointers(arguments).data(), pointers(environment).data());
  if (error != 0)
    throw std::system_error(error, std::generic_category(), "starting worker process " + call.executable);
  return started;
}

std::string how_it_ended(pid_t& process) {
  int status = 0;
  while (process >= 0 && waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  process = -1;
  if (WIFSIGNALED(status))  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread asks
    return fmt::format("was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace harness::loader
