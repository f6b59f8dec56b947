// Letters of five by seven points for pictures that no browser draws.
#pragma once

#include <array>
#include <cstdint>

namespace harness::tensorboard {

/// Seven rows from the top; in each the bit of 16 is the point on the left.
using Glyph = std::array<std::uint8_t, 7>;

inline constexpr int glyph_width = 5;
inline constexpr int glyph_height = 7;

/// A letter's points; a frame for what has none: all but ASCII letters, digits and common signs.
Glyph glyph_of(char letter);

}  // namespace harness::tensorboard
