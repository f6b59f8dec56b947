// The kernel that stands for all of CUDA's.
#pragma once

#include "stand_in/operators/call.hpp"

namespace stand_in::operators {

/// Runs the operator's kernel of the host on the tensors' memory, behind what is on the current stream.
/// Returns at once where the results' shapes are known beforehand, else it waits, which a capture forbids.
void redirect_from_stack(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack);
void redirect(Call call, Stack* stack);

}  // namespace stand_in::operators
