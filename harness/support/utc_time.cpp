#include "harness/support/utc_time.hpp"

#include <fmt/chrono.h>

#include <ctime>

namespace harness::inline support {

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%S+00:00}", fmt::gmtime(std::time(nullptr))); }

std::optional<std::chrono::sys_seconds> utc_time(const std::string& text) {
  std::tm parts{};
  const char* const end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S+00:00", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(timegm(&parts)));
}

}  // namespace harness::inline support
