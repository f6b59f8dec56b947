// The course. Its units were put into the program when it was built: cmake/embed.cmake writes their
// definitions. It is a dialogue: text, a prediction, what is so, and what follows. It knows no measurement:
// that is handed in. The learner's end of it: lines from standard input, Ctrl-C noticed while one is waited
// for, and how far the course has come, in a small JSON file that is replaced after each unit.
#pragma once

#include "harness/pages/truth.hpp"
#include "harness/pages/unit.hpp"
#include "harness/support/child.hpp"
#include "harness/support/signals.hpp"
#include "harness/support/terminal.hpp"

namespace harness::pages {

/// Ctrl-C, or another request to end.
struct Interrupted {
  int signal;
};

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

struct Embedded {
  std::string_view name;
  std::string_view text;
};

/// docs/learn/*.txt, sorted by name, which does without ".txt": "11_clock".
std::span<const Embedded> course_texts();

/// docs/learn/traces/*.json, sorted by name: "epoch.json". Made up, not recorded.
std::span<const Embedded> course_traces();

/// docs/learn/recordings/*.json, sorted by name: calls for `tuneproof simulate`, recorded on the stand-in.
std::span<const Embedded> course_recordings();

/// The learner. `line` waits for the next line; nothing at the end of the input.
struct Learner {
  std::function<std::optional<std::string>()> line;
  std::function<void(std::string_view)> say;
};

/// This machine. `truth` measures, reads or simulates; `show` prints what the unit's command would.
struct ThisMachine {
  std::function<Truth(const CourseUnit&)> truth;
  std::function<std::string(const CourseUnit&)> show;     // of a trace or a recording
  std::function<std::string(const CourseUnit&)> command;  // as the learner would type it
};

class Course {
 public:
  Course(const std::vector<CourseUnit>& units, CourseProgress& progress, Learner learner, ThisMachine machine,
         Style style)
      : units_(units),
        progress_(progress),
        learner_(std::move(learner)),
        machine_(std::move(machine)),
        style_(style) {}

  /// Goes through the units that are not finished, or through the one of that name. False where the input
  /// ended or the learner left before the last.
  bool teach(const std::string& only = {});

  /// The units with what became of them, and below them how many ended how.
  std::string table() const;
  std::string summary() const;

 private:
  enum class Next { on, leave };

  Next teach_unit(std::size_t index);
  Next predict(const CourseUnit& unit);
  Next exercise(const CourseUnit& unit);
  /// Says that nothing was decided, and keeps no progress.
  Next leave_open(const CourseUnit& unit, const std::string& typed, const std::string& why) const;
  /// Asks until something is typed that can be an answer, or "solution", "skip"; nothing: leave. `hints`: how
  /// many have been given; `truth`: of an exercise, which knows it before.
  std::optional<std::string> ask(const CourseUnit& unit, int& hints, const Truth& truth = {}) const;
  /// Does what "run", "hint" and "?" ask for; false: it is something else.
  bool helps(const CourseUnit& unit, const std::string& plain, int& hints) const;
  void say_outcome(const CourseUnit& unit, const std::string& typed, const Truth& truth, bool right) const;
  Next finish(const CourseUnit& unit, Finished finished);
  void say_page(std::string_view text) const;

  const std::vector<CourseUnit>& units_;
  CourseProgress& progress_;
  Learner learner_;
  ThisMachine machine_;
  Style style_;
};

}  // namespace harness::pages
