#include "harness/compare/ci.hpp"
#include "harness/support/field.hpp"
#include "harness/support/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

namespace harness::compare {
namespace {

const char* element_of(Fate fate) {
  return fate == Fate::failure ? "failure" : fate == Fate::error ? "error" : "skipped";
}

/// Bytes that are no UTF-8, as a command may print them, become U+FFFD.
std::string as_utf8(std::string_view text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

/// XML has no place for control characters, escaped or not, nor for U+FFFE and U+FFFF.
std::string xml_text(std::string_view given) {
  auto text = printable(as_utf8(given));
  for (const auto* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    for (auto at = text.find(none); at != text.npos; at = text.find(none, at)) text.replace(at, 3, 1, '?');
  return text;
}

void add_case(pugi::xml_node& suite, const CiCase& row, const Demands& demands) {
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
  const auto whole = row.change.empty() ? said : row.change + " " + said;
  if (const auto fate = shown_fate(row, demands); fate != Fate::pass) {
    auto element = node.append_child(element_of(fate));
    element.append_attribute("message") = xml_text(whole).c_str();
    if (fate == Fate::skipped) return;
    const bool advises = row.fate == Fate::advice && !demands.strict;
    element.append_attribute("type") = xml_text(advises ? "advice" : row.verdict).c_str();
  } else if (!row.change.empty()) {
    node.append_child("system-out").append_child(pugi::node_pcdata).set_value(xml_text(whole).c_str());
  }
}

}  // namespace

std::string junit_text(const CiReport& report) {
  const auto count = [&](Fate fate) {
    return static_cast<long long>(std::ranges::count_if(
        report.rows, [&](const CiCase& row) { return shown_fate(row, report.demands) == fate; }));
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
  double seconds = 0;
  for (const auto& row : report.rows) seconds += row.seconds;
  suite.append_attribute("time") = fmt::format("{:.3f}", seconds).c_str();
  for (const auto& row : report.rows) add_case(suite, row, report.demands);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace harness::compare
