// A row as it stands before it is measured.
#pragma once

#include "harness/results/row.hpp"
#include "harness/run/select.hpp"

#include <string>

namespace harness::run {

/// Blank, or skipped where the session has no device for it.
results::Row first_row(const catalogue::Step& step, const catalogue::Row& planned,
                       const Selection& selection);

/// Leaves the row out of the session.
void skip(results::Row& row, std::string reason);

}  // namespace harness::run
