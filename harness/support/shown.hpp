// Text from a file or an option as an error quotes it: it may hold anything.
#pragma once

#include <string>
#include <string_view>

namespace harness::inline support {

/// In quotes, at most 40 bytes of it, on one line, in ASCII.
std::string shown(std::string_view text);

}  // namespace harness::inline support
