// Numbers with units, as a person reads them: three digits, the unit that fits.
#pragma once

#include <cstdint>
#include <string>

namespace harness::inline support {

std::string us_text(double microseconds);    // "0.9 us", "43.9 ms", "12.9 s"
std::string share_text(double share);        // 0.291 -> "29 %", 0.0123 -> "1.2 %"
std::string size_text(double bytes);         // "19.3 MB": 10^6, as rates are
std::string count_text(std::int64_t count);  // "75,718"
/// Three significant digits without exponent: 12345 -> "12345", 9.8765 -> "9.88".
std::string digits_text(double value);

}  // namespace harness::inline support
