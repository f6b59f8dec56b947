#include "harness/compare/ci.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/shown.hpp"

#include <fmt/format.h>

#include <string_view>

namespace harness::compare {
namespace {

/// In a cell of a table nothing may end the cell or the line, be read as markup or move a cursor.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
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

bool only_advises(const CiCase& row, const Demands& demands) {
  return row.fate == Fate::advice && !demands.strict;
}

bool fails(const CiCase& row, const Demands& demands) {
  const auto fate = shown_fate(row, demands);
  return !only_advises(row, demands) && (fate == Fate::failure || fate == Fate::error);
}

/// "::error" for what fails, "::warning" for what deserves a look: a job shows ten of each.
std::string_view level(const CiCase& row, const Demands& demands) {
  if (fails(row, demands)) return "error";
  return only_advises(row, demands) || row.fate == Fate::missing ? "warning" : "";
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
    case Verdict::inconclusive:
      return Fate::undecided;
    default:
      return Fate::skipped;
  }
}

void add_figure(CiCase& row, const char* name, double value) {
  row.properties.emplace_back(name, fmt::format("{:.6g}", value));
}

void add_change(CiCase& row, double ratio, const std::optional<Interval>& interval, double margin) {
  row.change = change_text(ratio, interval);
  add_figure(row, "ratio", ratio);
  if (interval) {
    add_figure(row, "ratio, lower end", interval->low);
    add_figure(row, "ratio, upper end", interval->high);
  }
  add_figure(row, "margin", margin);
}

CiCase missing_row(const std::string& name) {
  return {.group = name.substr(0, name.find(':')),
          .name = name,
          .fate = Fate::missing,
          .verdict = "missing",
          .message = "in BASE only"};
}

std::string markdown_text(const CiReport& report) {
  auto out = fmt::format("### {}\n\n", cell(report.title));
  if (!report.rows.empty()) {
    out += "| row | change | verdict | |\n|---|---|---|---|\n";
    for (const auto& row : report.rows) {
      const bool bad = fails(row, report.demands);
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
    if (const auto word = level(row, report.demands); !word.empty()) {
      const auto said = fmt::format("{}{}{}{}{}", row.verdict, row.change.empty() ? "" : " ", row.change,
                                    row.message.empty() ? "" : ": ", row.message);
      out += fmt::format("::{} title={}::{}\n", word, escaped(printable(row.name), true),
                         escaped(printable(said), false));
    }
  return out;
}

}  // namespace harness::compare
