// A process of our own: started in a group of its own, watched through pipes, ended with all it has started.
#pragma once

#include "harness/support/fd.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
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

/// How long a killed process is waited for. It needs a processor to end on, and one of low priority gets none
/// for many seconds while others use all of them. One that is stuck in the kernel never ends.
constexpr std::chrono::milliseconds time_to_be_gone{60'000};

/// What to start: `arguments` without the program's own name; `environment` is added to ours ("NAME=value").
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
  int memory = -1;  // of ours, which the child finds as descriptor 4; -1: none
};

/// A running child. Its standard output and error come together on `said`, what it writes to descriptor 3 on
/// `events`; both are nonblocking. The destructor kills it.
class Child {
 public:
  /// Throws BadInput where the program cannot be started.
  explicit Child(const Command& command);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// Writes all of its standard input and closes it. A child that has died, or does not read for 5 s, gets
  /// less than the whole; how it ends says why.
  void send(std::string_view text);
  int said() const { return said_.get(); }
  int events() const { return events_.get(); }
  pid_t pid() const { return pid_; }

  /// How it ended, if it has.
  std::optional<Exit> poll();
  /// Waits for its end; nothing if it has not come in time (a process stuck in the kernel cannot be ended).
  std::optional<Exit> wait(std::chrono::milliseconds time);
  /// Ends the whole group at once, and waits until it is gone, and all that has left the group.
  void kill();

 private:
  pid_t pid_ = -1;
  std::set<pid_t> others_;  // children that this process had before
  std::optional<Exit> exit_;
  Fd input_, said_, events_;
};

}  // namespace harness::inline support
