// What the processor does with memory that it shares with the device, for the step on write-combined memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <random>
#include <span>
#include <vector>

namespace microbench {

inline constexpr std::size_t cache_line = 64;

/// The numbers of the lines in `size` bytes, in random order.
inline std::vector<std::uint32_t> shuffled_lines(std::size_t size, std::uint64_t seed) {
  std::vector<std::uint32_t> order(size / cache_line);
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  return order;
}

/// Writes a word into each line, in that order: its number.
inline void write_lines(std::span<std::byte> bytes, std::span<const std::uint32_t> order) {
  for (const std::uint64_t line : order) std::memcpy(bytes.data() + line * cache_line, &line, sizeof line);
}

/// The sum of all whole words.
inline std::uint64_t sum_of_words(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + sizeof sum <= bytes.size(); at += sizeof sum) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    sum += word;
  }
  return sum;
}

}  // namespace microbench
