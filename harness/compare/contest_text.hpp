// Two programs held against each other in one measurement: for a person, for CI and for other tools.
#pragma once

#include "harness/compare/ci.hpp"
#include "harness/compare/gate_session.hpp"
#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

namespace harness::compare {

/// One of the two programs.
struct BuildName {
  std::string program;
  std::string version;
  std::string commit;
};

struct ContestReport {
  BuildName base, head;
  GateOutcome outcome;
  results::Fingerprint fingerprint = {};  // of HEAD
  std::vector<std::string> missing = {};  // rows that BASE has and HEAD has not
  std::vector<std::string> added = {};    // the other way round
  std::vector<std::string> notes = {};    // what else is to be known: treatments, margins, a plant
  Demands demands = {};
};

/// What became of a row: "slower" only where it fails the gate; "maybe slower" where nothing settled whether
/// it is; "not confirmed" where a fresh session refuted it.
std::string contest_word(const ContestRow& row);
/// What stands below it: the other session, the control, why there is no verdict. May be empty.
std::string contest_note(const ContestRow& row);

/// Cleans every text of it that came from one of the programs: printable.
void clean(ContestReport& report);
std::string contest_text(const ContestReport& report, const Style& style);
CiReport contest_ci(const ContestReport& report);
/// tuneproof.comparison/1.2: results/README.md describes it.
Json contest_json(const ContestReport& report);

}  // namespace harness::compare
