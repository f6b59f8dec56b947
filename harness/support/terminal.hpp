// What the output can show.
#pragma once

#include "harness/support/style.hpp"

#include <cstdio>

namespace harness::inline support {

/// True if the stream is a terminal that understands escape sequences.
bool is_terminal(std::FILE* out);

/// Colour on a terminal unless NO_COLOR is set; its width, or COLUMNS, or 100 where neither is known.
Style style_of(std::FILE* out);

}  // namespace harness::inline support
