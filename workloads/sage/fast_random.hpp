// A fast generator of random numbers: splitmix64, by Sebastiano Vigna. The same on host and device.
#pragma once

#include <cstdint>

namespace workloads::sage {

class FastRandom {
 public:
  constexpr explicit FastRandom(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t bits() {
    auto z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// From 0 to `bound` - 1, for bounds up to 2^32.
  constexpr std::uint32_t below(std::uint64_t bound) {
    return static_cast<std::uint32_t>(((bits() >> 32U) * bound) >> 32U);
  }
  /// From 0 to 1, without 1.
  constexpr double share() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// The seed of one of many parts.
constexpr std::uint64_t part_seed(std::uint64_t seed, std::int64_t part) {
  return FastRandom(FastRandom(seed).bits() + static_cast<std::uint64_t>(part)).bits();
}

}  // namespace workloads::sage
