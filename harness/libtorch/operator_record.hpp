// The outermost operators that a piece of work calls, recorded so that they can be run again.
#pragma once

#include "harness/libtorch/operator_call.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace harness::inline libtorch {

/// Calls in the order in which they run; their record owns them.
using OperatorSequence = std::vector<const OperatorCall*>;

/// What was recorded, in order.
using OperatorRecord = std::vector<OperatorCall>;

/// Runs `work` once and records the operators that the calling thread calls, backward passes on the CPU
/// among them. Copies take at most `most_bytes`; a call for which that is too little has its reason. Throws
/// what `work` throws.
OperatorRecord record_operators(const std::function<void()>& work, std::int64_t most_bytes);

/// The calls of `from` without those whose work `other` does as well, each of its calls once. In order.
OperatorSequence calls_without(const OperatorRecord& from, const OperatorRecord& other);

/// Those that can be run again by themselves.
OperatorSequence repeatable(OperatorSequence calls);

}  // namespace harness::inline libtorch
