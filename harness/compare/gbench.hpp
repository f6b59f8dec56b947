// Any two files of Google Benchmark that were written with repetitions.
#pragma once

#include "harness/compare/comparison.hpp"
#include "harness/results/stand_in.hpp"

namespace harness::compare {

/// Each is the root of its document, and its path the file's name. Compares the times of the repetitions, and
/// what they report beside them, benchmark by benchmark; as `compare_runs` does where `rules` do not allow
/// it, no row. Throws BadInput for a file without repetitions, and for prices of the stand-in where these are
/// not allowed. `rule` has alpha and delta.
Comparison compare_gbench(const Field& base, const Field& current, const Rule& rule,
                          const CompareRules& rules = {},
                          results::StandIn stand_in = results::StandIn::refuse);

}  // namespace harness::compare
