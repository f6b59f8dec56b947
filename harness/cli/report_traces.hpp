// The traces of a report, diagnosed for its page.
#pragma once

#include "harness/cli/program.hpp"
#include "harness/record/field.hpp"
#include "harness/record/stand_in.hpp"

#include <string>

namespace harness {

/// What `diagnose --json` says of a trace, or of a folder with the ranks of one run; of its operators the
/// first 40, and how many there are. Throws BadInput for a file that is no trace, and for
/// one of the stand-in where that is not allowed.
Json trace_data(const std::string& path, const Program& program, StandIn stand_in);

}  // namespace harness
