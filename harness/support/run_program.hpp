// Programs that are run to their end, or asked a line and answer with a line, again and again.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/spawn.hpp"

namespace harness::inline support {

/// Where a program of that name lies on PATH; empty where it does not.
std::filesystem::path find_program(const std::string& name);

/// How a program ended, and all it wrote to its standard output.
struct Finished {
  Exit exit;
  std::string output;
};

/// Runs it to its end. Unlike a Child it belongs to our own group: what ends the group ends it, and all it
/// has started. Its errors are not shown. `input`, at most 64 KiB, is its standard input. Throws BadInput
/// where it cannot be started, or has not ended within `most`; a program without a slash is looked for on
/// PATH.
Finished run_program(const Command& command, std::string_view input,
                     std::chrono::milliseconds most = std::chrono::minutes(1));

/// A script of ours in a Python of the user's: it finds the packages of that Python and of PYTHONPATH, but no
/// module that lies in the current folder, where any `json.py` would otherwise be run.
Command python_script(const std::filesystem::path& python, std::string_view script,
                      std::vector<std::string> arguments = {});

/// Belongs to our own group, as `run_program`'s: what ends the group ends it. In a group of its own, Ctrl-C
/// in a terminal reaches only us, and all that it has started ends with it. It reads its standard input and
/// answers on its standard output; its errors are not shown. When this ends, its input ends: it then has two
/// seconds to end too.
class Conversation {
 public:
  using Group = SpawnOptions::Group;

  /// Throws BadInput where the program cannot be started; one without a slash is looked for on PATH.
  explicit Conversation(const Command& command, Group group = Group::ours);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation();

  /// Sends the line and waits for the answer. Throws std::runtime_error where the program has ended instead.
  std::string ask(std::string_view line);
  /// The same; nothing where the wait ends first.
  std::optional<std::string> ask(std::string_view line, const WaitEnd& end);
  /// The next line that it says by itself. Throws as `ask` does.
  std::string listen();

 private:
  bool send(std::string_view text, const WaitEnd& end);
  std::optional<std::string> hear(const WaitEnd& end);

  std::string name_;
  Group group_;
  pid_t pid_ = -1;
  Fd ours_;
  LineReader heard_;
};

}  // namespace harness::inline support
