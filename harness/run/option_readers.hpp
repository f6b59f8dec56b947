// Which rows read an option of a workload.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/results/row.hpp"

namespace harness::run {

/// Whether the row's step reads it.
bool reads(const results::Row& row, const catalogue::Option& option);

}  // namespace harness::run
