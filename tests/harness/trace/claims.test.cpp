// docs/claims_in_traces.md: every published claim once, and what it says of the findings holds.
#include "tests/harness/trace/made_up.hpp"

#include "harness/trace/findings.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace harness::trace;

std::string trimmed_cell(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The cells of the table's rows that begin with a claim's id in backquotes, which are taken off.
std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::ifstream input(std::string(TUNEPROOF_SOURCE_DIR "/docs/") + file);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(input, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::istringstream parts(line.substr(1));
    for (std::string cell; std::getline(parts, cell, '|');) cells.push_back(trimmed_cell(cell));
    cells.front() = cells.front().substr(1, cells.front().size() - 2);
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// The findings that the last cell lists before its remark.
std::vector<std::string> findings_in(const std::string& cell) {
  std::istringstream list(cell.substr(0, cell.find(';')));
  std::vector<std::string> ids;
  for (std::string id; std::getline(list, id, ',');) ids.push_back(trimmed_cell(id));
  return ids;
}

/// The names of steps in the last cell of docs/claims.md, by claim; not those that show a mistake of
/// measuring, which no training needs.
std::map<std::string, std::set<std::string>> steps_by_claim() {
  std::map<std::string, std::set<std::string>> steps;
  for (const auto& row : rows_of("claims.md")) {
    std::istringstream words(row.back());
    auto& known = steps[row.front()];
    if (row.back().find(": ") != std::string::npos) continue;  // "planned: ..", "run: ..": no list of steps
    for (std::string word; words >> word;)
      if (word.find('/') != word.npos && word.find(':') == word.npos && !word.starts_with("traps/") &&
          !word.starts_with("variability/"))
        known.insert(word.substr(0, word.find(',')));
  }
  return steps;
}

TEST_CASE("each published claim stands once among those that a trace shows or does not", "[trace][claims]") {
  const auto claims = rows_of("claims.md");
  const auto shown = rows_of("claims_in_traces.md");
  REQUIRE(claims.size() == 191);
  REQUIRE(shown.size() == claims.size());
  for (std::size_t i = 0; i < claims.size(); ++i) CHECK(shown[i].front() == claims[i].front());
}

TEST_CASE("a claim is shown by findings that exist, by a part of the report, or not for a reason",
          "[trace][claims]") {
  const std::set<std::string> parts{"VERDICT", "WHAT WOULD PAY", "STEPS",   "DEVICE",
                                    "HOST",    "PHASES",         "KERNELS", "OPERATORS"};
  for (const auto& row : rows_of("claims_in_traces.md")) {
    INFO(row.front());
    REQUIRE(row.size() == 3);
    if (row[1] == "finding")
      for (const auto& id : findings_in(row[2])) CHECK(finding_kind(id) != nullptr);
    else if (row[1] == "report")
      CHECK(parts.contains(row[2].substr(0, row[2].find(':'))));
    else
      CHECK((row[1] == "no" && row[2].size() > 20));
  }
}

TEST_CASE("a finding that shows a claim names one of the claim's steps", "[trace][claims]") {
  const auto steps = steps_by_claim();
  for (const auto& row : rows_of("claims_in_traces.md")) {
    if (row[1] != "finding" || steps.at(row.front()).empty()) continue;
    INFO(row.front());
    bool named = false;
    for (const auto& id : findings_in(row[2]))
      for (const auto step : finding_kind(id)->steps)
        named = named || steps.at(row.front()).contains(std::string(step));
    CHECK(named);
  }
}

TEST_CASE("a claim whose step a finding names is not called invisible", "[trace][claims]") {
  const auto steps = steps_by_claim();
  std::set<std::string> named;
  for (const auto& kind : finding_kinds()) named.insert(kind.steps.begin(), kind.steps.end());
  for (const auto& row : rows_of("claims_in_traces.md")) {
    if (row[1] != "no") continue;
    INFO(row.front());
    CHECK(
        std::ranges::none_of(steps.at(row.front()), [&](const auto& step) { return named.contains(step); }));
  }
}

TEST_CASE("each finding shows a claim, or is ours", "[trace][claims]") {
  const std::set<std::string> ours{"outside_pytorch",   "checkpoint_in_step",
                                   "buffer_broadcasts", "impossible_times",
                                   "denormal_numbers",  "fp64_numbers",
                                   "busy_cpus",         "slow_convolution",
                                   "host_operators"};  // no guide says it in words
  std::set<std::string> shown;
  for (const auto& row : rows_of("claims_in_traces.md"))
    if (row[1] == "finding")
      for (auto& id : findings_in(row[2])) shown.insert(std::move(id));
  for (const auto& kind : finding_kinds()) {
    INFO(kind.id);
    CHECK(shown.contains(std::string(kind.id)) != ours.contains(std::string(kind.id)));
  }
}

}  // namespace
