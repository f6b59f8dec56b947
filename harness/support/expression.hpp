// Regular expressions over text from outside.
#pragma once

#include <regex>
#include <string>

namespace harness::inline support {

/// Without going back, and so without back-references: none takes for ever, or all of the stack where the
/// text is long. Throws std::regex_error.
inline std::regex expression_of(const std::string& text) {
  return std::regex(text, std::regex::ECMAScript | std::regex_constants::__polynomial);
}

}  // namespace harness::inline support
