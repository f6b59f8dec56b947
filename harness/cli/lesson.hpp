// What a step's source files teach: the opening comment, and the code of both forms.
#pragma once

#include <string>
#include <string_view>

namespace harness {

/// The comment that opens the file, without its slashes; empty where there is none.
std::string lesson_of(std::string_view source);

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

}  // namespace harness
