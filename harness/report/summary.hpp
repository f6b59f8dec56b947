// What stands below the table.
#pragma once

#include "harness/record/row.hpp"
#include "harness/report/table.hpp"

#include <span>
#include <string>

namespace harness {

/// "12 helps, 3 no effect, ..., 9 skipped", what came out otherwise than published, and what the rounds are.
std::string summary(std::span<const Row> rows, const Style& style);

}  // namespace harness
