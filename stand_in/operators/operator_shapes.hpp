// What a call's results look like, without its values: only so can it be queued.
#pragma once

#include "stand_in/operators/operator_call.hpp"

namespace stand_in::operators {

/// The results without their data, one IValue each, as tensors of the meta device or of the host; `out`
/// arguments of another size are resized. By the operator's Meta kernel; where it has none, by a try on zeros
/// of the same shapes, remembered for the next call like it. Empty where neither works: the call is wrong, or
/// its results' shapes depend on values.
std::optional<Stack> shapes_of(const Call& call);

}  // namespace stand_in::operators
