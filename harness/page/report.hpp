// What a report shows, read and compared, before it becomes a page or Markdown.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/support/field.hpp"

#include <optional>
#include <string>
#include <vector>

namespace harness::page {

struct Report {
  std::vector<results::Results> runs = {};
  std::optional<results::Results> base = {};  // of `comparison`
  std::optional<compare::Comparison> comparison = {};
  std::vector<Json> prices = {};
  std::vector<Json> self_tests = {};
  std::vector<Json> traces = {};  // diagnoses
  Json steps = Json::object();    // by id: claim, source, lesson
  std::string program = {};       // version and commit of what wrote the report
};

/// All of it as the page's data.
Json report_data(const Report& report);

/// Its tables in Markdown; each says which device its rows ran on.
std::string report_markdown(const Report& report);

}  // namespace harness::page
