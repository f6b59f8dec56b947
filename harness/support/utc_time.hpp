// A moment as text: ISO 8601, UTC, whole seconds.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace harness::inline support {

/// Now: "2026-01-31T12:00:00+00:00".
std::string utc_now();

/// The same text as a time; nothing where it is written otherwise.
std::optional<std::chrono::sys_seconds> utc_time(const std::string& text);

}  // namespace harness::inline support
