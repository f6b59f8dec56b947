#include "harness/support/terminal.hpp"

#include "harness/support/signals.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <stdio_ext.h>
#include <sys/ioctl.h>

namespace harness::inline support {
namespace {

constexpr auto unwritten = "the output could not be written";
constexpr int narrowest = 40;  // below this no text can be read

std::string_view environment(const char* name) {
  const auto* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

int columns_of(std::FILE* out) {
  int columns = 0;
  const auto text = environment("COLUMNS");
  std::from_chars(text.data(), text.data() + text.size(), columns);
  winsize size{};
  if (columns <= 0 && isatty(fileno(out)) != 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
    columns = size.ws_col;
  if (columns <= 0) return Style{}.columns;
  return columns < narrowest ? narrowest : columns;
}

constexpr std::size_t margin = 2;
constexpr std::size_t narrowest_name = 12;

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

bool is_terminal(std::FILE* out) { return isatty(fileno(out)) != 0 && environment("TERM") != "dumb"; }

Style style_of(std::FILE* out) {
  return {.colour = is_terminal(out) && environment("NO_COLOR").empty(), .columns = columns_of(out)};
}

std::FILE* table_beside(std::string_view document) { return document == "-" ? stderr : stdout; }

void tell(std::string_view sentence) {
  constexpr std::size_t longest = 1000;  // a value that it repeats may have any length
  auto said = printable(sentence);
  if (said.size() > longest) said.replace(longest / 2, said.size() - longest, "...");
  tell_lines("tuneproof: " + said + "\n");
}

void tell_lines(std::string_view text) {
  const auto all = printable_lines(text);
  const IgnoredPipe ignored;  // that nobody reads it is no reason to end
  std::fwrite(all.data(), 1, all.size(), stderr);
}

void show_lines(std::FILE* out, std::string_view text) {
  if (out == stderr) return tell_lines(text);
  const int error = try_lines(out, text);
  if (error != 0 && error != EPIPE) throw std::runtime_error(unwritten);
}

int try_lines(std::FILE* out, std::string_view text) {
  const auto all = printable_lines(text);
  if (std::fwrite(all.data(), 1, all.size(), out) == all.size() && std::fflush(out) == 0) return 0;
  const int error = errno;
  __fpurge(out);
  std::clearerr(out);
  return error;
}

void require_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  if (errno != EPIPE) throw std::runtime_error(unwritten);
  __fpurge(stdout);
  std::clearerr(stdout);
}

std::string flowing(std::string_view lead, std::string text, int indent, const Style& style) {
  constexpr char tie = '\x1f';  // no blank to the wrapping
  for (const std::string_view unit : {" %", " us", " ms", " s ", " s)", " s;", " kB", " MB", " GB"})
    for (auto at = text.find(unit); at != text.npos; at = text.find(unit, at + 1))
      if (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0) text[at] = tie;
  auto out = indented(lead, text, indent, style);
  std::ranges::replace(out, tie, ' ');
  return out;
}

std::string section_heading(std::string_view text, const Style& style) {
  const auto lines = indented("", text, 0, style);
  return fmt::format("\n{}\n", inked(lines.substr(0, lines.size() - 1), Ink::bold, style));
}

std::string short_site(const std::string& where) {
  const auto name = where.rfind('/', where.find('('));
  const auto folder = name == where.npos || name == 0 ? where.npos : where.rfind('/', name - 1);
  return folder == where.npos ? where : where.substr(folder + 1);
}

std::string without_middle(const std::string& text, std::size_t width) {
  if (text.size() <= width || width < 5) return text;
  const auto is_inside = [&](std::size_t at) {  // a character of several bytes
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
  };
  const auto tail = (width - 2) / 3;
  auto end = width - 2 - tail;
  while (end > 0 && is_inside(end)) --end;
  auto begin = text.size() - tail;
  while (is_inside(begin)) ++begin;
  return text.substr(0, end) + ".." + text.substr(begin);
}

Columns::Columns(std::vector<std::string> heads, std::size_t gap)
    : heads_(2), left_(heads.size()), gap_(gap) {
  for (std::size_t i = 0; i < heads.size(); ++i) {
    left_[i] = i == 0 || heads[i].starts_with('<');
    if (heads[i].starts_with('<')) heads[i].erase(0, 1);
    const auto split = heads[i].find('\n');
    heads_[0].push_back(split == heads[i].npos ? "" : heads[i].substr(0, split));
    heads_[1].push_back(split == heads[i].npos ? heads[i] : heads[i].substr(split + 1));
  }
}

void Columns::add(std::vector<std::string> cells) {
  cells.resize(left_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Columns::widths(const Style& style) const {
  std::vector<std::size_t> widths(left_.size());
  for (const auto* lines : {&heads_, &rows_})
    for (const auto& line : *lines)
      for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::size_t figures = 0;
  for (std::size_t i = 1; i < widths.size(); ++i) figures += gap_ + widths[i];
  const auto room = static_cast<std::size_t>(std::max(style.columns, 0));
  const auto left = room > figures + margin ? room - figures - margin : 0;
  widths[0] = std::min(widths[0], std::max(left, narrowest_name));
  return widths;
}

std::string Columns::text(const Style& style) const {
  const auto width = widths(style);
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto cell = i == 0 ? without_middle(cells[i], width[i]) : cells[i];
      out += std::string(i == 0 ? margin : gap_, ' ');
      out += left_[i] ? fmt::format("{:<{}}", cell, width[i]) : fmt::format("{:>{}}", cell, width[i]);
    }
    return trimmed(out);
  };
  std::string out;
  for (const auto& head : heads_)
    if (std::ranges::any_of(head, [](const auto& cell) { return !cell.empty(); }))
      out += inked(line(head), Ink::dim, style) + "\n";
  for (const auto& row : rows_) out += line(row) + "\n";
  return out;
}

}  // namespace harness::inline support
