// What a step's source file teaches: its opening comment, and the code of both forms.
#pragma once

#include <string>
#include <string_view>

namespace harness {

/// The comment that opens the file, without its slashes; empty where there is none.
std::string lesson_of(std::string_view source);

/// A part of a file: its text, and the lines that it covers (from 1). Parts left out between are marked
/// "...".
struct Excerpt {
  std::string text;
  int first = 0;
  int last = 0;
};

/// The function that prepares the step, with what it uses of its own file: constants, types and helpers that
/// stand before it. Without such a function: everything behind the includes.
Excerpt code_of(std::string_view source, std::string_view step_id);

}  // namespace harness
