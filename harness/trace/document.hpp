// The outermost list or object of a trace.
#pragma once

#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <cstddef>

namespace harness::trace {

/// Fills the trace from the text, of which `window` bytes are parsed at a time and which is given back as far
/// as it was read. Throws BadInput.
void read_document(Text& text, Trace& trace, std::size_t window);

}  // namespace harness::trace
