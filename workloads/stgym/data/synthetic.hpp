// A data set made from a seed, with the statistics of the one that may not be shipped (docs/stgym.md, Data).
#pragma once

#include "workloads/stgym/data/graph_dataset.hpp"

namespace workloads::stgym {

/// What the published data set is like.
struct Published {
  static constexpr std::int64_t graphs = 159;
  static constexpr std::int64_t nodes = 714'331;
  static constexpr std::int64_t most_nodes = 14'683;  // in one graph
  static constexpr std::int64_t features = 2'000;
  static constexpr std::int64_t classes = 39;
  static constexpr float least_span = 22.807724F;
  static constexpr float largest_span = 31.392605F;
};

/// Nodes per graph, smallest first: `Published`'s sum and maximum, times `scale`, but at least 8.
std::vector<std::int64_t> synthetic_sizes(double scale);

/// The data set at benchmark radius; the same bits for the same seed and scale on every machine, whatever the
/// number of threads: only the raw output of mt19937_64 and exactly rounded arithmetic go into it.
/// Throws Skip where memory is short. `radius` is left 0.
Dataset make_synthetic(double scale, std::uint64_t seed);

}  // namespace workloads::stgym
