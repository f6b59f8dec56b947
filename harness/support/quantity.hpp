// Numbers with units, as a person reads them: three digits, the unit that fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace harness::inline support {

std::string us_text(double microseconds);    // "0.9 us", "43.9 ms", "12.9 s"
std::string share_text(double share);        // 0.291 -> "29 %", 0.0123 -> "1.2 %"
std::string size_text(double bytes);         // "19.3 MB": 10^6, as rates are
std::string count_text(std::int64_t count);  // "75,718"
/// "64KiB", "64K", "64kB" -> 65536; "512", "512B" -> 512; nothing for any other text.
std::optional<std::int64_t> parse_size(std::string_view text);
/// Three significant digits without exponent: 12345 -> "12345", 9.8765 -> "9.88", 1e-5 -> "<0.0001".
std::string digits_text(double value);

}  // namespace harness::inline support
