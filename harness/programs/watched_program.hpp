// The program that is watched: it has our streams, our group and its own signals.
#pragma once

#include "harness/support/fd.hpp"
#include "harness/support/spawn.hpp"

#include <csignal>

namespace harness::programs {

/// Runs from construction to `wait`'s answer. Meanwhile a signal to us alone is passed on to it; what the
/// terminal sends, Ctrl-C, has reached both, and is the program's to answer.
class WatchedProgram {
 public:
  /// Throws std::system_error where the program cannot be started.
  WatchedProgram(const std::vector<std::string>& command, const std::string& python_path);
  WatchedProgram(const WatchedProgram&) = delete;
  WatchedProgram& operator=(const WatchedProgram&) = delete;
  ~WatchedProgram();

  /// How it ended; nothing if it has not within the time.
  std::optional<Exit> wait(std::chrono::milliseconds time);

 private:
  void pass_on();
  std::optional<Exit> reap() const;

  sigset_t mask_before_{};
  Fd signals_;
  pid_t pid_ = -1;
};

/// Ends this process as the other ended: with its code as the returned one, or by its signal.
int end_like(const Exit& exit);

}  // namespace harness::programs
