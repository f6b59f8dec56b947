// What a run's last lines say of its rows.
#pragma once

#include "harness/results/row.hpp"

#include <span>
#include <string>
#include <vector>

namespace harness::run {

/// What helped most, what hurts, which rows cannot tell, and whether the machine was disturbed. `what_to_do`
/// takes the place of the usual advice.
std::vector<std::string> closing_lines(std::span<const results::Row> rows, const std::string& what_to_do);

}  // namespace harness::run
