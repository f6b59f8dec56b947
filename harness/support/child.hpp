// A process of our own: started in a group of its own, watched through pipes, ended with all it has started.
// What a child has started and left behind, and a program that is to end with the one that started it.
#pragma once

#include "harness/support/fd.hpp"
#include "harness/support/spawn.hpp"

#include <csignal>
#include <set>

namespace harness::inline support {

/// How long a killed process is waited for. It needs a processor to end on, and one of low priority gets none
/// for many seconds while others use all of them. One that is stuck in the kernel never ends.
constexpr std::chrono::milliseconds time_to_be_gone{60'000};

/// The descriptors that a child finds beside the usual three.
constexpr int event_fd = 3;
constexpr int memory_fd = 4;

/// A running child. Its standard output and error come together on `said`, what it writes to `event_fd` on
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

/// The children of this process, those that it has inherited included.
std::set<pid_t> children_of_ours();

/// Ends what a child has left behind, not the `others`, which this process had before. As the nearest reaper
/// (PR_SET_CHILD_SUBREAPER) it inherits them when the child ends. Waits for `time_to_be_gone` at most.
void end_strays(const std::set<pid_t>& others);

/// The signal comes as soon as the parent has ended, however that ended. Where it has ended already, this
/// process ends here.
void end_with_parent(pid_t parent, int signal = SIGKILL);

/// This program once more, which ends with us: as SIGTERM ends it, so that it leaves nothing behind.
Command again(const std::filesystem::path& self, std::vector<std::string> arguments);

/// Takes away what `again` has put before the arguments, and does it.
void take_parent(int& argc, char**& argv);

}  // namespace harness::inline support
