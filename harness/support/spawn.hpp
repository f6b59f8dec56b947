// Starts a program, and nothing else does: tests/architecture.test.py.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <signal.h>
#include <string>
#include <sys/types.h>
#include <vector>

namespace harness::inline support {

/// How a process ended: by itself with a code, or by a signal.
struct Exit {
  int code = 0;
  int signal = 0;  // 0: by itself
  bool operator==(const Exit&) const = default;
};

/// "exited with 1" or "was killed by signal 11 (Segmentation fault)".
std::string to_string(const Exit& exit);

/// What a status of waitpid means.
Exit exit_of(int status);

/// True once the child has ended, which is waited for up to that time. It is left to be reaped: until then
/// its number, and that of its group, are nobody else's.
bool ends_by(pid_t child, std::chrono::steady_clock::time_point time);

/// Waits for the end of a child, however often a signal comes between; for -1 it returns at once.
Exit wait_for_end(pid_t child);

/// What to start: `arguments` without the program's own name; `environment` stands in place of what ours says
/// ("NAME=value").
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments = {};
  std::vector<std::string> environment = {};
  int memory = -1;  // of ours, which a Child finds as `memory_fd`; -1: none
};

/// What a program finds where it starts.
struct SpawnOptions {
  enum class Group { ours, its_own, its_own_session };
  /// A descriptor of ours under a number of the program's; without one, /dev/null.
  struct Descriptor {
    int number;
    int ours = -1;
  };
  std::vector<Descriptor> descriptors = {};  // put there in this order
  std::optional<int> closed_from = {};       // the numbers that are closed before it starts
  Group group = Group::ours;
  std::optional<sigset_t> blocked = {};  // signals; without them, ours
  bool default_signals = false;          // those that end a program do so, but for a SIGHUP that is ignored
  bool on_path = false;                  // a program without a slash is looked for on PATH
};

/// Throws std::system_error where it cannot be started: "x: cannot be started: Permission denied".
pid_t spawn(const Command& command, const SpawnOptions& options);

/// For a program that the user has named: throws BadInput with the same words.
pid_t spawn_named(const Command& command, const SpawnOptions& options);

/// This process becomes the program: our output, exit code and Ctrl-C are its own. Throws BadInput where it
/// cannot be started.
[[noreturn]] void become(const Command& command);

}  // namespace harness::inline support
