#include "harness/support/shown.hpp"

namespace harness::inline support {

std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string result = "\"";
  for (const char c : text.substr(0, most)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (text.size() > most ? "...\"" : "\"");
}

}  // namespace harness::inline support
