// `run --dry-run`.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/results/row.hpp"
#include "harness/run/run_arguments.hpp"

#include <vector>

namespace harness::run_command {

/// Prints the rows and how long they should take. Gives the exit code.
int print_rows(const std::vector<results::Row>& rows, const run::RunPlan& plan,
               const catalogue::Catalogue& catalogue);

}  // namespace harness::run_command
