// The course. Its units were put into the program when it was built: cmake/embed.cmake writes their
// definitions. It is a dialogue: text, a prediction, what is so, and what follows. It knows neither a
// terminal nor a measurement: both are handed in.
#pragma once

#include "harness/pages/learner.hpp"
#include "harness/pages/truth.hpp"
#include "harness/pages/unit.hpp"
#include "harness/support/terminal.hpp"

namespace harness::pages {

struct Embedded {
  std::string_view name;
  std::string_view text;
};

/// docs/learn/*.txt, sorted by name, which does without ".txt": "11_clock".
std::span<const Embedded> course_texts();

/// docs/learn/traces/*.json, sorted by name: "busy.json". Made up, not recorded.
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
  Next leave_open(const CourseUnit& unit, const std::string& typed, const Truth& truth) const;
  /// Asks until something is typed that can be an answer, or "?", "skip"; nothing: leave.
  std::optional<std::string> ask(const CourseUnit& unit) const;
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
