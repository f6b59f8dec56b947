// Operators whose result is known only when the device has computed it.
#pragma once

#include "stand_in/operators/call.hpp"

namespace stand_in::operators {

/// True where PyTorch's kernel for CUDA waits for the device too: the size of a result depends on values, or
/// the result is a number of the host; and for operators that give sparse tensors.
bool waits_for_values(const Call& call);

}  // namespace stand_in::operators
