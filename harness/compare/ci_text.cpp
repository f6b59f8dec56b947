#include "harness/compare/ci.hpp"

#include <fmt/format.h>

#include <string_view>

namespace harness::compare {
namespace {

/// In a cell of a table nothing may end the cell or the line, be read as markup or move a cursor.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += ' ';
      continue;
    }
    if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// GitHub's escapes for the text of a workflow command; `property` adds those of its parameters.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned>(c)) : std::string(1, c);
  }
  return out;
}

/// "::error" for what fails, "::warning" for what deserves a look: a job shows ten of each.
std::string_view level(const CiCase& row) {
  if (row.fate == Fate::failure || row.fate == Fate::error) return "error";
  const bool look = row.verdict == "slower" || row.verdict == "hurts" || row.verdict == "missing";
  return look && row.fate == Fate::skipped ? "warning" : "";
}

}  // namespace

Fate fate_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
    case Verdict::no_effect:
      return Fate::pass;
    case Verdict::invalid:
    case Verdict::failed:
      return Fate::error;
    default:
      return Fate::skipped;
  }
}

CiCase missing_row(const std::string& name, bool strict) {
  return {.group = name.substr(0, name.find(':')),
          .name = name,
          .fate = strict ? Fate::failure : Fate::skipped,
          .verdict = "missing",
          .message = "in BASE only"};
}

std::string markdown_text(const CiReport& report) {
  auto out = fmt::format("### {}\n\n", cell(report.title));
  if (!report.rows.empty()) {
    out += "| row | change | verdict | |\n|---|---|---|---|\n";
    for (const auto& row : report.rows) {
      const bool bad = row.fate == Fate::failure || row.fate == Fate::error;
      const auto verdict = bad ? fmt::format("**{}**", cell(row.verdict)) : cell(row.verdict);
      out += fmt::format("| {} | {} | {} | {} |\n", cell(row.name), cell(row.change), verdict,
                         cell(row.message));
    }
    out += '\n';
  }
  for (const auto& note : report.notes) out += fmt::format("- {}\n", cell(note));
  return report.notes.empty() ? out : out + "\n";
}

std::string annotations_text(const CiReport& report) {
  std::string out;
  for (const auto& row : report.rows)
    if (const auto word = level(row); !word.empty()) {
      const auto said = fmt::format("{}{}{}{}{}", row.verdict, row.change.empty() ? "" : " ", row.change,
                                    row.message.empty() ? "" : ": ", row.message);
      out += fmt::format("::{} title={}::{}\n", word, escaped(row.name, true), escaped(said, false));
    }
  return out;
}

}  // namespace harness::compare
