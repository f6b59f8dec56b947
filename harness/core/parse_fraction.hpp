// Text as a fraction.
#pragma once

#include "harness/core/parse_number.hpp"

namespace harness::inline core {

/// A number, or one over another: "0.125" or "1/8".
inline std::optional<double> parse_fraction(std::string_view text) {
  const auto slash = text.find('/');
  const auto above = parse_number<double>(text.substr(0, slash));
  if (slash == std::string_view::npos) return above;
  const auto below = parse_number<double>(text.substr(slash + 1));
  if (!above || !below || !std::isfinite(*above / *below)) return std::nullopt;
  return *above / *below;
}

}  // namespace harness::inline core
