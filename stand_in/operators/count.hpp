// The work of an operator in numbers, for the record and the simulator.
#pragma once

#include "stand_in/operators/call.hpp"
#include "stand_in/runtime.hpp"

#include <vector>

namespace stand_in::operators {

/// The command with its bytes, those of arguments and new results together, once more those that are changed
/// in place or read twice, and with the FLOP of products and convolutions. Of a sparse tensor its indices and
/// values count, and what is sorted; of a product of two sparse matrices the `pairs` that it multiplies, two
/// FLOP each.
Command counted(const Call& call, const std::vector<Tensor>& results, double pairs = 0);

}  // namespace stand_in::operators
