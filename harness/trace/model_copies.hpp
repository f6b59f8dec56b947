// Which copies to the device bring input, and which the model itself asks for.
#pragma once

#include "harness/trace/nesting.hpp"
#include "harness/trace/trace.hpp"

#include <optional>
#include <string_view>

namespace harness::trace {

/// Whether a range of that name is the model's; nothing where it could be either.
std::optional<bool> names_model(std::string_view range);

/// True for a copy that the forward or the backward pass asks for: in autograd's engine, in a range named for
/// one of them, or in a module's call. The innermost range decides; one that loads or copies a batch brings
/// input, and DataParallel and its like hand the input on.
bool within_model(const Trace& trace, const Nesting& nesting, EventId copy);

}  // namespace harness::trace
