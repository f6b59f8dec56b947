// What continuous integration reads: JUnit, Markdown, GitHub's annotations. One report, three forms.
#pragma once

#include "harness/core/verdict.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness::compare {

/// What a row means to CI.
enum class Fate { pass, skipped, failure, error };

/// Of a verdict that fails nothing by itself.
Fate fate_of(Verdict verdict);

struct CiCase {
  std::string group = {};  // the step
  std::string name = {};
  Fate fate = Fate::pass;
  std::string verdict = {};  // as printed: "slower", "cannot tell"
  std::string change = {};   // "+3.1 % [+1.0, +5.2]"; empty without
  std::string message = {};  // why it is not a pass, or what is to be known about it; may be empty
  double seconds = 0;        // what the row took, 0 where that is not known
  std::vector<std::pair<std::string, std::string>> properties = {};
};

/// A row that only BASE has.
CiCase missing_row(const std::string& name, bool strict);

struct CiReport {
  std::string title = {};
  std::vector<CiCase> rows = {};
  std::vector<std::string> notes = {};
};

/// JUnit's XML: one testcase per row.
std::string junit_text(const CiReport& report);
/// A table for a job's summary or a comment.
std::string markdown_text(const CiReport& report);
/// One line per row that failed or leans: "::error title=...::...".
std::string annotations_text(const CiReport& report);

}  // namespace harness::compare
