// Two runs side by side, for a person and for CI.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/compare/comparison.hpp"
#include "harness/support/terminal.hpp"

#include <string>
#include <string_view>

namespace harness::compare {

/// "faster", "slower", "same", "cannot tell"; other verdicts as they are.
std::string_view change_word(Verdict verdict);

/// "no longer counted: a, b"; empty where there are none.
std::string vanished_text(const std::vector<std::string>& names);
/// A title and a line for each name; nothing without names.
std::string name_list(std::string_view title, const std::vector<std::string>& names, const Style& style);
/// "ATen operators per step (optimized): 5358 -> 5400".
std::string increase_text(const CountIncrease& increase);

/// The rows, what is missing or new, what differs between the two files, and a summary.
std::string comparison_text(const Comparison& comparison, const Style& style);

/// The same where the files may not be compared: what differs, and which option would.
std::string refusal_text(const Comparison& comparison, const Style& style);

/// For JUnit, Markdown and annotations. A slower row is advice and no failure; a count that rose is one, and
/// a missing row where `strict`.
CiReport comparison_report(const Comparison& comparison, bool strict);

}  // namespace harness::compare
