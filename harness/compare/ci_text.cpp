#include "harness/compare/ci.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

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

const char* element_of(Fate fate) {
  return fate == Fate::failure ? "failure" : fate == Fate::error ? "error" : "skipped";
}

/// XML has no place for control characters, escaped or not, nor for U+FFFE and U+FFFF.
std::string xml_text(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\t'; }, ' ');
  for (const auto* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    for (auto at = text.find(none); at != text.npos; at = text.find(none, at)) text.replace(at, 3, 1, '?');
  return text;
}

void add_case(pugi::xml_node& suite, const CiCase& row) {
  auto node = suite.append_child("testcase");
  node.append_attribute("classname") = xml_text(row.group).c_str();
  node.append_attribute("name") = xml_text(row.name).c_str();
  node.append_attribute("time") = fmt::format("{:.3f}", row.seconds).c_str();
  if (!row.properties.empty()) {
    auto properties = node.append_child("properties");
    for (const auto& [name, value] : row.properties) {
      auto property = properties.append_child("property");
      property.append_attribute("name") = name.c_str();
      property.append_attribute("value") = xml_text(value).c_str();
    }
  }
  const auto said = row.message.empty() ? row.verdict : row.verdict + ": " + row.message;
  if (row.fate != Fate::pass) {
    node.append_child(element_of(row.fate)).append_attribute("message") = xml_text(said).c_str();
  } else if (!row.change.empty()) {
    const auto text = row.change + "  " + said;
    node.append_child("system-out").append_child(pugi::node_pcdata).set_value(xml_text(text).c_str());
  }
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

std::string junit_text(const CiReport& report) {
  const auto count = [&](Fate fate) {
    return static_cast<long long>(std::ranges::count(report.rows, fate, &CiCase::fate));
  };
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  auto suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = xml_text(report.title).c_str();
  suite.append_attribute("tests") = static_cast<long long>(report.rows.size());
  suite.append_attribute("failures") = count(Fate::failure);
  suite.append_attribute("errors") = count(Fate::error);
  suite.append_attribute("skipped") = count(Fate::skipped);
  for (const auto& row : report.rows) add_case(suite, row);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace harness::compare
