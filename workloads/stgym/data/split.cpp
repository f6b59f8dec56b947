#include "workloads/stgym/data/split.hpp"

#include "harness/core/slot_order.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

namespace workloads::stgym {

namespace {

using Graphs = std::vector<std::int64_t>;

std::int64_t share_of(std::int64_t graphs, double ratio) {
  // 0.29 x 100 is 28.999999999999996.
  return static_cast<std::int64_t>(std::floor(static_cast<double>(graphs) * ratio + 1e-9));
}

/// All graphs in the seed's order.
Graphs drawn_order(std::int64_t graphs, std::uint64_t seed) {
  Graphs order(static_cast<std::size_t>(graphs));
  std::iota(order.begin(), order.end(), 0);
  harness::Random random(harness::row_seed(seed, "stgym/split"));
  harness::shuffle(order, random);
  return order;
}

/// `field` is what begins the message, for a user who wrote the ratios.
Split by_ratio(const Dataset& dataset, const space::RatioSplit& rule, std::uint64_t seed,
               std::string_view field) {
  const auto graphs = dataset.graphs();
  const auto train = share_of(graphs, rule.train_ratio);
  const auto validation = share_of(graphs, rule.val_ratio);
  const auto test = graphs - train - validation;
  if (train == 0 || validation == 0 || test == 0) {
    const auto least = std::ceil(1 / std::min({rule.train_ratio, rule.val_ratio, rule.test_ratio}) - 1e-9);
    const auto* const part = train == 0 ? "training" : validation == 0 ? "validation" : "test";
    throw harness::BadInput(
        fmt::format("{}: {}the {} part of a {:.4g}/{:.4g}/{:.4g} split is empty with {} graph{}; it needs at "
                    "least {:.0f}",
                    dataset.source, field, part, 100 * rule.train_ratio, 100 * rule.val_ratio,
                    100 * rule.test_ratio, graphs, graphs == 1 ? "" : "s", least));
  }
  const auto order = drawn_order(graphs, seed);
  const auto first = order.begin();
  return {.train = {first, first + train},
          .validation = {first + train, first + train + validation},
          .test = {first + train + validation, order.end()}};
}

Split by_fold(const Dataset& dataset, const space::FoldSplit& rule, std::uint64_t seed) {
  const auto graphs = dataset.graphs();
  if (graphs < rule.num_folds)
    throw harness::BadInput(fmt::format("{}: data_loader.split.num_folds: {} graph{} cannot fill {} folds",
                                        dataset.source, graphs, graphs == 1 ? "" : "s", rule.num_folds));
  const auto order = drawn_order(graphs, seed);
  Split parts;
  for (std::int64_t fold = 0; fold < rule.num_folds; ++fold) {
    const bool tests = fold == rule.split_index;
    const bool validates = fold == (rule.split_index + 1) % rule.num_folds;
    auto& part = tests ? parts.test : validates ? parts.validation : parts.train;
    part.insert(part.end(), order.begin() + fold * graphs / rule.num_folds,
                order.begin() + (fold + 1) * graphs / rule.num_folds);
  }
  return parts;
}

}  // namespace

Split split(const Dataset& dataset, std::uint64_t seed) { return by_ratio(dataset, {}, seed, ""); }

Split split(const Dataset& dataset, const std::variant<space::RatioSplit, space::FoldSplit>& rule,
            std::uint64_t seed) {
  if (const auto* folds = std::get_if<space::FoldSplit>(&rule)) return by_fold(dataset, *folds, seed);
  return by_ratio(dataset, std::get<space::RatioSplit>(rule), seed, "data_loader.split: ");
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
