// The words of a verdict over the training thread's time.
#pragma once

#include "harness/trace/regime.hpp"

#include <string_view>

namespace harness::trace {

/// What speaks for the regime: "the training thread prepares batches itself". "" for the unknown one.
std::string host_evidence(Regime regime, const Shares& shares);
/// What would change it.
std::string_view host_change(Regime regime, const Shares& shares);
/// The verdict "cannot say", and why.
RegimeVerdict host_silence(const Shares& shares, bool stepped);

}  // namespace harness::trace
