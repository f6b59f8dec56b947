// Files that commands write and look for by themselves, in the folder where they were started.
#pragma once

#include <string>

namespace harness::inline support {

inline constexpr auto usual_prices = "prices.json";      // what `prices --quick` writes
inline constexpr auto usual_history = "history.sqlite";  // what `history add` writes by itself

/// The file that was named, or the usual one where it is there; empty where it is not.
std::string or_usual(const std::string& named, const char* usual);

}  // namespace harness::inline support
