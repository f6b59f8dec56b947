// Which of its neighbours a node of a sample gets: the same on host and device, whoever draws, in any order;
// by a fast generator of random numbers: splitmix64, by Sebastiano Vigna.
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

/// Writes the places, counted from 0, of min(degree, fan_out) different neighbours of `node`, each set of
/// that size with equal probability; returns how many. By Robert Floyd, with as many draws. A node has
/// neighbours once in a sample, so that `seed`, the batch's, and the node name its draws.
constexpr std::int64_t choose_neighbours(std::uint64_t seed, std::int64_t node, std::int64_t degree,
                                         std::int64_t fan_out, std::int64_t* places) {
  if (degree <= fan_out) {
    for (std::int64_t i = 0; i < degree; ++i) places[i] = i;
    return degree;
  }
  FastRandom random(part_seed(seed, node));
  for (std::int64_t i = 0; i < fan_out; ++i) {
    const auto last = degree - fan_out + i;
    const std::int64_t drawn = random.below(static_cast<std::uint64_t>(last) + 1);
    bool is_new = true;
    for (std::int64_t before = 0; before < i; ++before) is_new = is_new && places[before] != drawn;
    places[i] = is_new ? drawn : last;
  }
  return fan_out;
}

}  // namespace workloads::sage
