// A program that is asked a line and answers with a line, again and again.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/fd.hpp"

#include <string>
#include <string_view>
#include <sys/types.h>

namespace harness::inline support {

/// Belongs to our own group, as `run_program`'s: what ends the group ends it. It reads its standard input and
/// answers on its standard output; its errors are not shown. When this ends, its input ends: it then has two
/// seconds to end too.
class Conversation {
 public:
  /// Throws BadInput where the program cannot be started; one without a slash is looked for on PATH.
  explicit Conversation(const Command& command);
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation();

  /// Sends the line and waits for the answer. Throws std::runtime_error where the program has ended instead.
  std::string ask(std::string_view line);
  /// The next line that it says by itself. Throws as `ask` does.
  std::string listen();

 private:
  std::string name_;
  pid_t pid_ = -1;
  Fd ours_;
  std::string heard_;  // behind the last whole line
};

}  // namespace harness::inline support
