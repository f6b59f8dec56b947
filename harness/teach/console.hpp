// The learner's end of the dialogue: lines from standard input, and Ctrl-C noticed while one is waited for.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/signals.hpp"

#include <optional>
#include <string>

namespace harness::teach {

/// Ctrl-C, or another request to end.
struct Interrupted {};

class Console {
 public:
  /// The next line of standard input; nothing at its end. Throws Interrupted.
  std::optional<std::string> line();

  /// What the command says until it has ended, and how it ended. It reads nothing. Throws Interrupted, and
  /// BadInput where it cannot be started.
  struct Ended {
    Exit exit;
    std::string said;
  };
  Ended run(const Command& command);

 private:
  /// Waits until the descriptor can be read. Throws Interrupted.
  void wait_for(int fd);

  SignalWatch watch_;
  std::string typed_;
};

}  // namespace harness::teach
