// What an expression matches last in the output of a command, which may be a gigabyte.
#pragma once

#include <cstddef>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

namespace harness::programs {

/// Longer lines come in pieces of so many bytes, of which an expression sees each whole.
constexpr std::size_t longest_line = 4096;

/// The longest text that stands in whatever the expression matches, as far as that is seen at once: what is
/// written outside of groups, classes and alternatives. Empty where there is none.
std::string needed_text(std::string_view expression);

/// The last line of the text that is not empty, or its last piece; '\n' and '\r' end a line.
std::string_view last_line(std::string_view text);

class LastMatch {
 public:
  /// Throws BadInput, beginning with the option, for what is no expression, or has more groups than one.
  LastMatch(const std::string& expression, const char* option);

  bool has_group() const { return expression_.mark_count() > 0; }
  /// Whole lines, in the order in which they came. Looks from their end on, and only at lines with the needed
  /// text, since only the last match counts.
  void hear(std::string_view lines);
  void forget() { found_.reset(); }
  /// What its group matched, or the whole of it where it has none.
  const std::optional<std::string>& found() const { return found_; }

 private:
  bool matches(std::string_view line);

  std::regex expression_;
  std::string needed_;
  std::optional<std::string> found_;
};

}  // namespace harness::programs
