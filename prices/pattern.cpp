#include "prices/pattern.hpp"

#include <cstring>
#include <stdexcept>
#include <string>

namespace prices {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint32_t);

}  // namespace

void fill_pattern(std::span<std::byte> bytes, std::uint32_t seed) {
  const auto words = static_cast<std::uint32_t>(bytes.size() / word_bytes);
  for (std::uint32_t i = 0; i < words; ++i) {
    const auto value = pattern_word(i, seed);
    std::memcpy(bytes.data() + i * word_bytes, &value, word_bytes);
  }
}

std::optional<std::size_t> first_wrong(std::span<const std::byte> bytes, std::uint32_t seed) {
  const auto words = static_cast<std::uint32_t>(bytes.size() / word_bytes);
  for (std::uint32_t i = 0; i < words; ++i) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + i * word_bytes, word_bytes);
    if (value != pattern_word(i, seed)) return i * word_bytes;
  }
  return std::nullopt;
}

void require_pattern(std::span<const std::byte> bytes, std::uint32_t seed) {
  if (const auto wrong = first_wrong(bytes, seed))
    throw std::runtime_error("the copy is wrong at byte " + std::to_string(*wrong) + " of " +
                             std::to_string(bytes.size()));
}

}  // namespace prices
