// Text from a file or an option as it is shown: it may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace harness::inline support {

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
