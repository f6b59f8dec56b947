// What to do about rows that cannot tell.
#pragma once

#include "harness/results/results.hpp"

namespace harness::run {

/// The share of the CPU that other programs took over all rounds; nothing where it is not known.
std::optional<double> other_work(const results::Results& results);

/// "Other work took 31 % of the CPU: wait until it has ended, or --budget 6m would tell about 5 more." Empty
/// where no row is undecided or rounds were not allotted.
std::string advice(const results::Results& results);

}  // namespace harness::run
