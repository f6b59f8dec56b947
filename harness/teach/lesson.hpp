// What a step's source files teach: the opening comment, and the code of both forms.
#pragma once

#include <string>
#include <string_view>

namespace harness::teach {

/// The comment that opens the file, without its slashes; empty where there is none.
std::string lesson_of(std::string_view source);

/// The lesson's parts, each of whole paragraphs: the first line; the paragraph that begins with "Question: ";
/// what the hardware does, up to the first paragraph that begins with "When " or "What it costs"; all that
/// begin so; and behind them, what the row measures. What a lesson does not have is empty.
struct LessonParts {
  std::string title;
  std::string question;
  std::string hardware;
  std::string when;
  std::string measured;
};
LessonParts parts_of(std::string_view lesson);

/// A part of a file: its text, and the lines that it covers (from 1; 0 where it is empty). What is left out
/// between two of its declarations is marked "...".
struct Excerpt {
  std::string text;
  int first = 0;
  int last = 0;
};

/// The function that prepares the step, with what it uses of its own file: constants, types and helpers that
/// stand before it. Without such a function: everything behind the includes.
Excerpt code_of(std::string_view text, std::string_view step_id);

/// The switch that a rung of a workload turns on, as its file names it ("&Switches::device_indices"); empty
/// where it names none.
std::string switch_of(std::string_view source);

/// The functions of another file that ask for that switch ("switches.device_indices").
Excerpt code_behind_switch(std::string_view text, const std::string& name);

}  // namespace harness::teach
