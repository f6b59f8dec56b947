// Reads what a report is to show, each file once, and says of each what it is.
#pragma once

#include "harness/page/report.hpp"
#include "harness/page/report_command.hpp"
#include "harness/results/stand_in.hpp"

#include <string>
#include <vector>

namespace harness::page {

struct ReportFiles {
  std::vector<std::string> results;  // of runs, prices, self-tests
  std::vector<std::string> traces;   // each a trace or a folder of ranks
  std::string against;               // an earlier run; empty without
  results::StandIn stand_in = results::StandIn::refuse;
};

/// Reads them all. Throws BadInput, one sentence, for a file that is none of these, and for `against` beside
/// more runs than one.
Report read_report(const ReportFiles& files, const catalogue::Program& program, const PricePage& prices);

}  // namespace harness::page
