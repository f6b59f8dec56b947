// The traces of a report, diagnosed for its page.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/field.hpp"

#include <string>

namespace harness::page {

/// What `diagnose --json` says of a trace, or of a folder with the ranks of one run; of its operators the
/// first 40, and how many there are. Throws BadInput for a file that is no trace, and for
/// one of the stand-in where that is not allowed.
Json trace_data(const std::string& path, const catalogue::Program& program, results::StandIn stand_in);

}  // namespace harness::page
