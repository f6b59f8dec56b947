// One unit of the course: a page of docs/learn. Lines "key: value", an empty line, the text, and the sections
// ASK, HINT and SOLUTION (of an exercise), and AFTER.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace harness::pages {

/// How an answer is held against what is so. The first four against this machine's own measurement, the next
/// four against a trace that is shipped, `simulated` against a prediction.
enum class AnswerCheck {
  verdict,    // of a row, one of `answers`
  naive,      // what the row's naive form came to, within a factor
  factor,     // naive / optimized of a row, within a factor
  price,      // of the price list, a time within a factor
  regime,     // of a trace, one of `answers`
  top,        // the `count` operators with the most Self CUDA time, in any order
  waits,      // the operator that makes the host wait longest
  share,      // of Self CUDA, of the operator with the most, in per cent, within a factor
  order,      // the letters `text`
  simulated,  // naive / optimized of a recording that is shipped, on a GPU on paper, within a factor
};

struct CourseUnit {
  std::string name = {};
  std::string phase = {};
  std::string title = {};
  std::string text = {};
  std::string ask = {};
  std::string hint = {};      // of an exercise: a paragraph after each wrong answer, or when one is asked for
  std::string solution = {};  // of an exercise
  std::string after = {};
  bool exercise = false;  // goes on with the right answer only, or when the solution was asked for
  std::string row = {}, price = {}, trace = {};  // what is measured or read; one of them, or none
  std::string recording = {}, gpu = {};          // what is simulated, and on what
  AnswerCheck check = AnswerCheck::verdict;
  int count = 0;                          // AnswerCheck::top
  std::string order = {};                 // AnswerCheck::order
  double near = 1;                        // the factor within which a number is right
  std::string range = {};                 // of a number or a time, as it is written: "1 to 10,000"
  double least = 0, most = 0;             // the same; a time in seconds
  std::vector<std::string> answers = {};  // those that may be given; empty: a number or a name
  std::vector<std::string> also = {};     // AnswerCheck::waits: other names in the trace for the same wait
  std::string part = {};                  // of a trace: the parts of its report that the question is about

  /// The command that shows it, without "tuneproof": "run ROW"; empty where there is none.
  std::string command() const;
};

/// What stands for its name on the command line: "34" of "34_precision".
std::string number_of(const CourseUnit& unit);

/// Throws BadInput naming unit and line where the text is not a unit.
CourseUnit parse_unit(std::string_view name, std::string_view text);

/// True where the answer is a number without a unit.
bool is_number(AnswerCheck check);

/// All units of the course, in order.
std::vector<CourseUnit> course();

}  // namespace harness::pages
