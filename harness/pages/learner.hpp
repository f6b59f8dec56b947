// The learner's end of the dialogue: lines from standard input, Ctrl-C noticed while one is waited for, and
// how far the course has come, in a small JSON file that is replaced after each unit.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/signals.hpp"

#include <functional>
#include <map>

namespace harness::pages {

/// Ctrl-C, or another request to end.
struct Interrupted {};

class Console {
 public:
  /// The next line of standard input; nothing at its end. Throws Interrupted.
  std::optional<std::string> line();

  /// What the command says until it has ended, and how it ended. It reads nothing; `heard` gets each line
  /// when it comes. Throws Interrupted, and BadInput where it cannot be started.
  struct Ended {
    Exit exit;
    std::string said;
  };
  Ended run(const Command& command, const std::function<void(std::string_view)>& heard = {});

 private:
  /// Waits until the descriptor can be read. Throws Interrupted.
  void wait_for(int fd);

  SignalWatch watch_;
  std::string typed_;
};

/// How a unit ended. `how` is "right", "otherwise", "shown" (the solution was asked for) or "skipped".
struct Finished {
  std::string how;
  std::string answer;  // as it was typed
  std::string truth;   // what was so, with its figures
  int tries = 1;       // answers up to the right one
};

class CourseProgress {
 public:
  /// ${XDG_STATE_HOME:-~/.local/state}/tuneproof/learn.json. Throws BadInput where neither variable is set.
  static std::filesystem::path usual_file();

  /// Reads the file where it is there. Throws BadInput where it is damaged or cannot be written.
  explicit CourseProgress(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  const Finished* find(const std::string& unit) const;

  /// Keeps it in the file at once, beside what another `learn` has kept there meanwhile.
  void finish(const std::string& unit, Finished finished);
  void forget();

 private:
  using Units = std::map<std::string, Finished>;
  Units read() const;
  std::filesystem::path folder_of_it() const;
  std::string text() const;

  std::filesystem::path file_;
  Units units_;
};

}  // namespace harness::pages
