// Which graphs are trained on, and in which batches.
#pragma once

#include "workloads/stgym/space/configuration.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace workloads::stgym {

struct Dataset;

/// Graph numbers, each in exactly one part.
struct Split {
  std::vector<std::int64_t> train, validation, test;
};

/// 70 / 15 / 15 % of the graphs at random, rounded down, the rest in `test`: 159 give 111 / 23 / 25.
/// The same on every machine. Throws BadInput where a part would be empty.
Split split(const Dataset& dataset, std::uint64_t seed);

/// As a configuration's data_loader.split says. Ratios: the same with other shares. Folds, of sizes that
/// differ by 1 at most: one tests, the next one (round and round) validates, the others train; with one seed
/// the folds are the same whatever the index. Throws BadInput with the field's path where a part would be
/// empty.
Split split(const Dataset& dataset, const std::variant<space::RatioSplit, space::FoldSplit>& rule,
            std::uint64_t seed);

/// The graphs in order, `size` at a time; the last batch may be smaller. Throws BadInput for size < 1.
std::vector<std::vector<std::int64_t>> batches(const std::vector<std::int64_t>& graphs, std::int64_t size);

/// The same for training: the graphs in an order drawn anew for each epoch.
std::vector<std::vector<std::int64_t>> shuffled_batches(std::vector<std::int64_t> graphs, std::int64_t size,
                                                        std::uint64_t seed, std::int64_t epoch);

}  // namespace workloads::stgym
