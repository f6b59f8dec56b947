// Calls whose results must be known before the program goes on.
#pragma once

#include "stand_in/operators/operator_call.hpp"

namespace stand_in::operators {

/// True where PyTorch's kernel for CUDA waits for the device too: the size of a result depends on values, or
/// the result is a number of the host; and for operators that give sparse tensors.
bool waits_for_values(const Call& call);

/// Runs the call in the stream's order and waits for it, as cudaStreamSynchronize does: an error in a
/// capture, a warning or an error where PyTorch's synchronization debugging asks for it. What it throws is
/// thrown here.
void wait_and_return(const Call& call, Stack* stack);

}  // namespace stand_in::operators
