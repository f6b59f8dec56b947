// Which of its neighbours a node of a sample gets: the same on host and device, whoever draws, in any order.
#pragma once

#include "workloads/sage/fast_random.hpp"

namespace workloads::sage {

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
