// The prices of a host, as `tuneproof prices --benchmark_out=FILE` wrote them.
#pragma once

#include "harness/support/field.hpp"

#include <map>
#include <string>

namespace harness::simulate {

/// The median seconds of each row, by its name without what Google Benchmark adds to it. Throws BadInput,
/// naming `file`, where it is no price list, or has rows with fewer than five repetitions.
std::map<std::string, double> prices_from(const Json& json, const std::string& file);

}  // namespace harness::simulate
