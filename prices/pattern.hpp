// Bytes by which a copy is checked. Host side; prices/price_kernels.cu has the device's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace prices {

/// The word at `index` of the pattern: neighbors differ in all bytes, and so do patterns of different seeds.
constexpr std::uint32_t pattern_word(std::uint32_t index, std::uint32_t seed) {
  const std::uint32_t mixed = ((index + 1) * 2654435761U) ^ (seed * 2246822519U);
  return mixed ^ (mixed >> 15);
}

/// Writes the pattern, from word 0 on; a last part of a word stays as it is.
void fill_pattern(std::span<std::byte> bytes, std::uint32_t seed);

/// The offset of the first word that is not the pattern's; nothing where all are.
std::optional<std::size_t> first_wrong(std::span<const std::byte> bytes, std::uint32_t seed);

/// Throws std::runtime_error, naming the offset, unless all bytes are the pattern's.
void require_pattern(std::span<const std::byte> bytes, std::uint32_t seed);

}  // namespace prices
