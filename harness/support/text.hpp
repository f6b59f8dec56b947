// Laying out text: wrapping, lists of words. Text from a file or an option as it is shown: it may hold
// anything.
#pragma once

#include "harness/support/terminal.hpp"

#include <span>

namespace harness::inline support {

/// "a, b or c".
std::string join_or(std::span<const std::string> words);

/// The words of the text in lines of at most `width` characters; a longer word stands alone on its line.
std::vector<std::string> wrap(std::string_view text, int width);

/// The text wrapped to the style's columns, each line begun at column `indent`; the first line's beginning is
/// `lead`, padded to the indent. Ends with a newline.
std::string indented(std::string_view lead, std::string_view text, int indent, const Style& style);

/// A row of a table for which the output is too narrow: the cells stand below the name, in as many lines as
/// they need, each cell whole. Ends with a newline.
std::string stacked(const std::string& name, std::span<const std::string> cells, const Style& style);

/// Paragraphs wrapped anew to the style's columns; lines that begin with a blank, '-' or '|' stay as they
/// are.
std::string reflowed(std::string_view text, const Style& style);

enum class Ink { plain, bold, dim, green, red, yellow };

/// The text in that ink where the style has colour.
std::string inked(std::string_view text, Ink ink, const Style& style);

/// In quotes, at most 40 bytes of it, on one line, in ASCII.
std::string shown(std::string_view text);

/// With '?' for each character that moves a cursor or turns the text around: controls (those above U+007F
/// too), marks of direction, separators of lines. The same for each byte that is no UTF-8, since some
/// terminals take it for a control. What is printed of a file goes through it.
std::string printable(std::string_view text);

/// The same, but for text of several lines that we have laid out: ends of lines and our own ink stay.
std::string printable_lines(std::string_view text);

/// A JSON text with \u escapes for such characters, which mean the same: they stand in strings only. Ends of
/// lines stay.
std::string printable_json(std::string_view json);

}  // namespace harness::inline support
