// What the output can show, and a plain table: its first column holds names and gives way, the others hold
// figures.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace harness::inline support {

/// How text is written to this output.
struct Style {
  bool colour = false;
  int columns = 100;
};

/// True if the stream is a terminal that understands escape sequences.
bool is_terminal(std::FILE* out);

/// Colour on a terminal unless NO_COLOR is set; its width, or COLUMNS, or 100 where neither is known.
Style style_of(std::FILE* out);

/// Where a table goes beside a document: to standard error where the document's file is "-", which is
/// standard output.
std::FILE* table_beside(std::string_view document);

/// Says it on standard error, behind the program's name, on one line, printable, and without its middle where
/// it is very long. Where nobody reads, what is said is lost and nothing else: a measurement goes on.
void tell(std::string_view sentence);

/// Says lines there that we have laid out, printable too.
void tell_lines(std::string_view text);

/// Prints lines. A reader that has left is no error, where SIGPIPE does not end the program: what it would
/// have read is lost. Throws where standard output cannot be written.
void show_lines(std::FILE* out, std::string_view text);

/// Prints lines, printable, and flushes them. 0, or why the stream has not taken them, an errno: the stream
/// forgets it then, so that nobody tells the same failure once more when the program ends.
int try_lines(std::FILE* out, std::string_view text);

/// Throws where standard output has not taken all that was printed, be it that an earlier flush has lost it.
/// A reader that has left is no error.
void require_output();

/// Collects rows and lays them out. Heads may have two lines, separated by a newline.
class Columns {
 public:
  /// Columns whose head begins with '<' are left-aligned; the first always is.
  explicit Columns(std::vector<std::string> heads, std::size_t gap = 2);

  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }

  /// Every line begins with two blanks and is no wider than the style; names that do not fit lose their
  /// middle. Figures are never cut.
  std::string text(const Style& style) const;

 private:
  std::vector<std::size_t> widths(const Style& style) const;

  std::vector<std::vector<std::string>> heads_;  // by line, then column
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
  std::size_t gap_;  // blanks between columns
};

/// As `indented`, but no line ends between a figure and its unit.
std::string flowing(std::string_view lead, std::string text, int indent, const Style& style);

/// An empty line and the text in bold.
std::string section_heading(std::string_view text, const Style& style);

/// "lib/python3.7/site-packages/torch/nn/modules/conv.py(443): forward" -> "modules/conv.py(443): forward".
std::string short_site(const std::string& where);

/// The text without its middle where it is longer than `width`: "void at::na..cudaTensor>". No character is
/// cut.
std::string without_middle(const std::string& text, std::size_t width);

}  // namespace harness::inline support
