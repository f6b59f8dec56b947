// What was laid out for 100 columns or more, on a terminal that has fewer: code and the pages of topics.
#pragma once

#include "harness/support/terminal.hpp"

#include <string>
#include <string_view>

namespace harness::pages {

/// A name in bold and what it is: beside it, from that column on, or below it where too few columns are left.
std::string entry_text(std::string_view name, std::string_view text, int name_columns, const Style& style);

/// Lines that fit stay as they are. Of a longer one, a comment behind code stands above it; comments, C++ and
/// tables go on below, four columns deeper; Python stays whole, since a line's end ends a statement.
std::string narrow_listing(std::string_view text, std::string_view language, int columns);

/// Prose and lists ("  name   what it is") are wrapped; drawings stay as they are.
std::string narrow_topic(std::string_view text, int columns);

}  // namespace harness::pages
