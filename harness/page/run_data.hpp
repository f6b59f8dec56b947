// What the page shows of a results file. The names of the fields are read by harness/page/assets.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/support/field.hpp"

namespace harness::page {

/// A session: its file, commit, machine, settings and what disturbed it, and its rows. Of a row's samples it
/// has those that the verdict rests on: one ln(ratio) a round, and one time of each form.
Json run_data(const results::Results& run);

/// Two runs held against each other.
Json comparison_data(const compare::Comparison& comparison);

}  // namespace harness::page
