// Reads what a report shows, each file once: results, prices, and traces, which are diagnosed for the page.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/pages/report.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/field.hpp"
#include "harness/trace/diagnosis.hpp"

namespace harness::pages {

/// What `diagnose --json` says of one trace or of the ranks of one run; of the operators the first 40, and
/// how many there are.
Json diagnosis_data(std::span<const trace::Diagnosis> diagnoses);

struct ReportFiles {
  std::vector<std::string> results;  // of runs, prices, self-tests, simulations
  std::vector<std::string> traces;   // each a trace or a folder of ranks
  std::string against;               // an earlier run; empty without
  std::string history;               // the file of `tuneproof history`; empty without
  results::StandIn stand_in = results::StandIn::refuse;
};

/// Reads them all. Throws BadInput, one sentence, for a file that is none of these, and for `against` beside
/// more runs than one.
Report read_report(const ReportFiles& files, const catalogue::Program& program, const PricePage& prices);

}  // namespace harness::pages
