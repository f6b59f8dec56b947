// Two runs side by side, for a person and for CI.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/support/terminal.hpp"

namespace harness::compare {

/// "faster", "slower", "same", "cannot tell"; other verdicts as they are.

/// "no longer counted: a, b"; empty where there are none.
std::string vanished_text(const std::vector<std::string>& names);
/// A title and a line for each name, of many for the first ones, with the option that lists all; nothing
/// without names.
std::string name_list(std::string_view title, const std::vector<std::string>& names, const Style& style,
                      std::string_view lists_all = "--markdown FILE");
/// "instructions (optimized): 2,057,872 -> 2,222,887 (+8.0 %)".
std::string increase_text(const CountIncrease& increase);
/// "cpu_time: 20.0 us -> 40.0 us, +100 % [+98.0, +102]".
std::string figure_text(const ComparedFigure& figure);
/// What became of a row in a word.
std::string compared_word(const ComparedRow& row);

/// The rows, what is missing or new, what differs between the two files, and a summary.
std::string comparison_text(const Comparison& comparison, const Style& style);

/// The same where the files may not be compared: what differs, and which option would.
std::string refusal_text(const Comparison& comparison, const Style& style);

/// For exit code, JUnit, Markdown and annotations. A slower row is advice; a count that rose is a failure.
CiReport comparison_report(const Comparison& comparison, const Demands& demands);
/// The report of one that was refused, with the differences that refuse it.
CiReport refusal_report(const Comparison& comparison);

}  // namespace harness::compare
