// Optuna in the environment's Python as the one who asks: harness/tune/python/tuneproof_study.py behind a
// pipe.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/read_text.hpp"
#include "harness/tune/search.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace harness::tune {

/// Where a study is kept, and who keeps it.
struct StudyPlace {
  std::string python = "python3";  // looked for on PATH
  std::string storage;             // SQLite file; empty: in memory
};

/// One study in one Python process. Every function throws BadInput, one sentence that says what to do, where
/// there is no Python, no Optuna, or the study cannot be used.
class Study {
 public:
  /// Starts Python, opens the study or makes it. The first trials are the standard settings and what
  /// checklists advise.
  Study(const Plan& plan, const StudyPlace& place);

  /// Refers to this study.
  Searcher searcher();

 private:
  Json ask(const Json& question);
  Json hear();
  [[noreturn]] void explain_end();
  void open(const Plan& plan);
  Settings whole(Settings asked) const;

  StudyPlace place_;
  Settings standard_;  // of the knobs that Optuna does not know: those that are not searched
  Fd pipe_;
  std::unique_ptr<Child> python_;
  LineReader lines_;
  std::string version_;
  std::vector<Tried> before_;
};

/// The text of tuneproof_study.py.
std::string_view study_script();
/// The version that scripts/versions.sh pins: what the tests ran with.
std::string_view optuna_version();

}  // namespace harness::tune
