// What a step's source files teach: the opening comment, and the code of both forms. A file is read as a list
// of declarations, without a parser, since clang-format fixes the form of our files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace harness::pages {

/// A declaration at the left margin with the comment that stands on it, unless that opens the file: lines
/// [first, last], from 0.
struct Block {
  std::size_t first = 0;
  std::size_t last = 0;
  bool taken = false;  // into an excerpt
};

class SourceBlocks {
 public:
  explicit SourceBlocks(std::string_view source);

  std::vector<Block>& blocks() { return blocks_; }
  /// The text of lines [first, last].
  std::string text(std::size_t first, std::size_t last) const;
  std::string text(const Block& block) const { return text(block.first, block.last); }
  /// The name that a block declares; empty where none is recognised.
  std::string name(const Block& block) const;
  /// The first line behind the includes that is not empty, from 0; `lines()` where there is none.
  std::size_t behind_includes() const;
  std::size_t lines() const { return lines_.size(); }

 private:
  std::vector<std::string> lines_;
  std::vector<Block> blocks_;
};

/// The comment that opens the file, without its slashes; empty where there is none.
std::string lesson_of(std::string_view source);

/// The lesson's parts, each of whole paragraphs: the first line; the paragraph that begins with "Question: ";
/// what the hardware does, up to the first paragraph that begins with "When " or "What it costs"; all that
/// begin so; behind them, what the row measures; and the paragraph that begins with "Answer: ". What a lesson
/// does not have is empty.
struct LessonParts {
  std::string title;
  std::string question;
  std::string hardware;
  std::string when;
  std::string measured;
  std::string answer;
};
LessonParts parts_of(std::string_view lesson);

/// A part of a file: its text, and the lines that it covers (from 1; 0 where it is empty). What is left out
/// between two of its declarations is marked "...".
struct Excerpt {
  std::string text;
  int first = 0;
  int last = 0;
};

/// The function that prepares the step, or its record where another file has that function, with what it uses
/// of its own file: constants, types and helpers that stand before it. Without either: everything behind the
/// includes.
Excerpt code_of(std::string_view text, std::string_view step_id);

/// The switch that a rung of a workload turns on, as its file names it ("&Switches::device_indices"); empty
/// where it names none.
std::string switch_of(std::string_view source);

/// The functions of another file that ask for that switch ("switches.device_indices").
Excerpt code_behind_switch(std::string_view text, const std::string& name);

}  // namespace harness::pages
