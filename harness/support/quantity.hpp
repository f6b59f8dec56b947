// Numbers with units as a person reads and writes them: three digits, the unit that fits. A moment as ISO
// 8601, in UTC, whole seconds.
#pragma once

#include "harness/core/interval.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
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

/// The size of a change, given as a logarithm: 0.0321 -> "3.2 %". A large one is a factor, since nothing gets
/// 139 % shorter: 1.39 -> "4.01 times".
std::string effect_text(double log);

/// A change of a ratio in percent: 0.517 -> "-48.3", 1.5 -> "+50.0", 5.2 -> "+420".
std::string percent_text(double ratio);

/// "-48.3 % [-48.9, -47.7]"; without an interval "-48.3 %"; "-48.3 % [-97.0, >+9900]" where it reaches beyond
/// 100 times.
std::string change_text(double ratio, const std::optional<Interval>& interval);

/// A figure without a unit, whole or with three significant digits; from ten million on "12,345,678".
std::string plain_text(double value);

std::string us_text(double microseconds);    // "0.9 us", "43.9 ms", "12.9 s"
std::string share_text(double share);        // 0.291 -> "29 %", 0.0123 -> "1.2 %"
std::string size_text(double bytes);         // "19.3 MB": 10^6, as rates are
std::string count_text(std::int64_t count);  // "75,718"

/// A count that was calculated, or read as any number: from 10^15 on, where it has no last digit, "1e+300".
std::string counted_text(double count);
/// "64KiB", "64K", "64kB" -> 65536; "512", "512B" -> 512; nothing for any other text.
std::optional<std::int64_t> parse_size(std::string_view text);
/// An option's size of at least 1 byte. Throws BadInput, beginning with `option`, for any other text.
std::int64_t parse_size(std::string_view text, const std::string& option);
/// Three significant digits without exponent: 12345 -> "12345", 9.8765 -> "9.88", 1e-5 -> "<0.0001".
std::string digits_text(double value);

/// A length of time as it was given: a sentence about it says it in the user's words.
struct Duration {
  std::chrono::duration<double> time{};
  std::string text = {};
};

/// "90s", "3m", "1h", "1h30m", "0.5m". Throws BadInput, beginning with `option`, for anything else: no unit,
/// an unknown or repeated one, units out of order, zero, more than 1000 hours.
Duration parse_duration(const std::string& text, const std::string& option);

/// Now: "2026-01-31T12:00:00+00:00".
std::string utc_now();

/// The same text as a time; nothing where it is written otherwise.
std::optional<std::chrono::sys_seconds> utc_time(const std::string& text);

}  // namespace harness::inline support
