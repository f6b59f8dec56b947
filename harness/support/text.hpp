// Laying out text: wrapping, lists of words, colour.
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

}  // namespace harness::inline support
