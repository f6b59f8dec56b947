// Verdicts in the terminal's words and colours.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/text.hpp"

#include <string_view>

namespace harness::run {

/// The verdict in the terminal's words: "no effect", "cannot tell".
std::string_view verdict_text(Verdict verdict);

/// The same of a row. Where it compares two timers, what the wrong one says of the work: "too much".
std::string_view verdict_text(const results::Row& row);
std::string_view timer_text(Verdict verdict);
/// What is expected of the row, in the same words.
std::string_view expected_text(const results::Row& row);

/// "+" helps, "=" no effect, "-" hurts, "?" cannot tell, "x" failed or invalid, "." skipped.
char sign_of(Verdict verdict);
/// The same of an expectation; "?" where it depends.
char sign_of(Outcome expected);

/// True if the verdict contradicts the published outcome; a verdict that is none, or an outcome that depends
/// on the circumstances, contradicts nothing.
bool otherwise_than_published(const results::Row& row);

Ink verdict_ink(Verdict verdict);

}  // namespace harness::run
