// What was laid out for 100 columns or more, on a terminal that has fewer.
#pragma once

#include "harness/support/terminal.hpp"

#include <string>
#include <string_view>

namespace harness::pages {

/// A name in bold and what it is: beside it, from that column on, or below it where too few columns are left.
std::string entry_text(std::string_view name, std::string_view text, int name_columns, const Style& style);

/// Prose and lists ("  name   what it is") are wrapped; drawings stay as they are.
std::string narrow_topic(std::string_view text, const Style& style);

}  // namespace harness::pages
