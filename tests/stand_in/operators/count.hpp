// The work of an operator in numbers, for the record and the simulator.
#pragma once

#include "tests/stand_in/operators/call.hpp"
#include "tests/stand_in/runtime.hpp"

#include <vector>

namespace stand_in::operators {

/// The command with its bytes, those of arguments and new results together, once more those that are changed
/// in place or read twice, and with the FLOP of products and convolutions. Of a sparse tensor its indices and
/// values count.
Command counted(const Call& call, const std::vector<Tensor>& results);

}  // namespace stand_in::operators
