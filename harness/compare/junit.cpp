#include "harness/compare/ci.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

namespace harness::compare {
namespace {

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
