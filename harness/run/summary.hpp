// What stands below the table.
#pragma once

#include "harness/results/row.hpp"
#include "harness/support/style.hpp"

#include <span>
#include <string>

namespace harness::run {

/// "12 helps, 3 no effect, ..., 9 skipped", what came out otherwise than published, and what the rounds are.
std::string summary(std::span<const results::Row> rows, const Style& style);

}  // namespace harness::run
