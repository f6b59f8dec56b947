// What stands below the table.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/terminal.hpp"

#include <span>
#include <string>

namespace harness::run {

/// "12 faster, 3 same, ..., 9 skipped"; what helps most, what hurts, what contradicts its source, which rows
/// cannot tell and what to do about it; what the rounds are. `what_to_do` about rows
/// that cannot tell, where more is known than the rows say: advice().
std::string summary(std::span<const results::Row> rows, const Style& style,
                    const std::string& what_to_do = {});

}  // namespace harness::run
