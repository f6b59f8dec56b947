#include "workloads/stgym/data/split.hpp"

#include "harness/measure/schedule.hpp"

#include "workloads/stgym/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace workloads::stgym {

Split split(const Dataset& dataset, std::uint64_t seed) {
  const auto graphs = dataset.graphs();
  const auto train = graphs * 70 / 100;
  const auto validation = graphs * 15 / 100;
  // The test part has the rest, so it is the last to become empty.
  if (train == 0 || validation == 0)
    throw harness::BadInput(
        fmt::format("{}: the {} part of a 70/15/15 split is empty with {} graph{}; at least 7 are needed",
                    dataset.source, train == 0 ? "training" : "validation", graphs, graphs == 1 ? "" : "s"));

  std::vector<std::int64_t> order(static_cast<std::size_t>(graphs));
  std::iota(order.begin(), order.end(), 0);
  harness::Random random(harness::row_seed(seed, "stgym/split"));
  harness::shuffle(order, random);
  const auto first = order.begin();
  return {.train = {first, first + train},
          .validation = {first + train, first + train + validation},
          .test = {first + train + validation, order.end()}};
}

std::vector<std::vector<std::int64_t>> batches(const std::vector<std::int64_t>& graphs, std::int64_t size) {
  if (size < 1) throw harness::BadInput(fmt::format("--batch-size: {} is not a positive number", size));
  std::vector<std::vector<std::int64_t>> result;
  for (auto rest = graphs.begin(); rest != graphs.end();) {
    const auto end = rest + std::min<std::ptrdiff_t>(size, graphs.end() - rest);
    result.emplace_back(rest, end);
    rest = end;
  }
  return result;
}

std::vector<std::vector<std::int64_t>> shuffled_batches(std::vector<std::int64_t> graphs, std::int64_t size,
                                                        std::uint64_t seed, std::int64_t epoch) {
  harness::Random random(harness::row_seed(seed, fmt::format("stgym/epoch {}", epoch)));
  harness::shuffle(graphs, random);
  return batches(graphs, size);
}

}  // namespace workloads::stgym
