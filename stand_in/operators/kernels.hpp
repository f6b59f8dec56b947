// The operators that are more than a call of the host's kernel.
#pragma once

#include "stand_in/operators/call.hpp"

namespace stand_in::operators {

/// Copies between host and device, and plain ones on a device, are cudaMemcpyAsync, as LibTorch has them; one
/// that converts or reorders is an operator.
void copy(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack);

/// aten::empty.memory_format and aten::empty_strided: new memory is filled with 0xff (NaN).
void empty(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack);
void empty_strided(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack);

/// aten::_fused_sdp_choice: attention in single operators, since the fused kernels exist only for a device.
void choose_math_attention(const c10::OperatorHandle& op, c10::DispatchKeySet, Stack* stack);

}  // namespace stand_in::operators
