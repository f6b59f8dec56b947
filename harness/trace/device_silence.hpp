// Why a device's time has no verdict.
#pragma once

#include "harness/trace/regime.hpp"

namespace harness::trace {

/// False where times cannot be true, or too few of a device's kernels were recorded.
bool can_be_judged(const Shares& shares);

/// True if most of the time goes to the first use of kernels.
bool starts_up(const Shares& shares);

/// "cannot say", and why.
RegimeVerdict device_silence(const Shares& shares);

/// The same where the trace speaks of a GPU but holds nothing that one did.
RegimeVerdict no_device(const Trace& trace, const Nesting& nesting);

}  // namespace harness::trace
