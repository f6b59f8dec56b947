#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace harness::inline support {

/// "90s", "3m", "1h", "1h30m", "0.5m" as seconds. Throws BadInput, beginning with `option`, for anything
/// else: no unit, an unknown or repeated one, units out of order, zero, more than 1000 hours.
std::chrono::duration<double> parse_duration(std::string_view text, const std::string& option);

}  // namespace harness::inline support
