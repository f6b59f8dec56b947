// Any two files of Google Benchmark that were written with repetitions.
#pragma once

#include "harness/compare/comparison.hpp"

namespace harness {

/// Compares the real times of the repetitions, benchmark by benchmark. Throws BadInput for a file without
/// repetitions. `rule` has alpha and delta.
Comparison compare_gbench(const Document& base, const Document& current, const Rule& rule);

}  // namespace harness
