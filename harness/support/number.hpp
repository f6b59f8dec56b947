// Numbers as a person reads them.
#pragma once

#include "harness/core/interval.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace harness::inline support {

/// Three significant digits with a unit: "12.3 us", "1.20 ms", "2.05 s"; "-" where nothing was timed (0).
std::string time_text(double seconds);

/// "512 B", "12.0 KiB", "317 MiB"; three significant digits.
std::string memory_text(double bytes);

/// So many of a unit, three digits: "98.2 kB", "25 GB", "1935 GB", "248 GFLOP".
std::string amount_text(double amount, std::string_view unit);

/// So many of a unit in a second: "98.2 kB/s", "248 GFLOP/s".
std::string rate_text(double per_second, std::string_view unit);

/// A share as a size, two digits: 0.0321 -> "3.2 %", 1.234 -> "123 %".
std::string effect_text(double share);

/// A change of a ratio in percent: 0.517 -> "-48.3", 1.5 -> "+50.0", 5.2 -> "+420".
std::string percent_text(double ratio);

/// "-48.3 % [-48.9, -47.7]"; without an interval "-48.3 %".
std::string change_text(double ratio, const std::optional<Interval>& interval);

/// A figure without a unit, whole or with three significant digits; from ten million on "12,345,678".
std::string plain_text(double value);

}  // namespace harness::inline support
