// Products of half precision, as a device's tensor cores have them.
#pragma once

#include "stand_in/operators/operator_call.hpp"

namespace stand_in::operators {

/// Runs the operator's kernel of the host. Products and convolutions of FP16 numbers are worked out in FP32
/// and rounded at the end: so does a device, and the host's own FP16 kernels take minutes.
void call_on_host(const c10::OperatorHandle& op, Stack& stack);

}  // namespace stand_in::operators
