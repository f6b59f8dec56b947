// The graphs that are trained on: where they come from, whether they fit into memory, how their neighbours
// are found, and which of them make a batch.
#pragma once

#include "harness/core/setup.hpp"

#include "workloads/stgym/space/configuration.hpp"

#include <ATen/core/Tensor.h>

#include <cstddef>

namespace workloads::stgym {

/// What the labels describe: every node, or every graph as a whole.
enum class Task { node_classification, graph_classification };

/// Which nodes of a graph are neighbours. `radius`: those within `radius_ratio` x (largest - smallest span of
/// a graph in the data set), at most 32 of them; `knn`: the `k` nearest, or all others in a smaller graph.
struct NeighbourRule {
  enum class Kind { radius, knn };
  Kind kind = Kind::radius;
  double radius_ratio = 1e-4;
  int k = 10;
};

/// All graphs, one behind the other, on the host; the features are held once. N nodes, G graphs, F features.
struct Dataset {
  std::string name;    // "synthetic", "human-crc", ...
  std::string source;  // what messages call it: the file, or "synthetic"
  Task task = Task::node_classification;
  std::int64_t classes = 0;
  at::Tensor x;                       // [N, F] float32
  at::Tensor position;                // [N, 2] float32
  at::Tensor y;                       // [N] or, for graph classification, [G]; int64 in [0, classes)
  std::vector<std::int64_t> offsets;  // [G + 1]: graph g has the nodes offsets[g] .. offsets[g + 1] - 1
  NeighbourRule rule;
  double radius = 0;  // the rule's radius in units of the positions; 0 for knn
  /// Descriptor of memory that holds the same data (mapped_dataset.hpp) and that other processes can map, so
  /// that they need no copy; -1: there is none. It must stay open as long as this is used.
  int shared_memory = -1;

  std::int64_t graphs() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t nodes() const { return offsets.back(); }
  std::int64_t nodes(std::int64_t graph) const {
    return offsets[index_of(graph) + 1] - offsets[index_of(graph)];
  }
  double nodes_in(const std::vector<std::int64_t>& some) const {
    std::int64_t sum = 0;
    for (const auto graph : some) sum += nodes(graph);
    return static_cast<double>(sum);
  }
  std::int64_t features() const { return x.size(1); }

 private:
  static std::size_t index_of(std::int64_t graph) { return static_cast<std::size_t>(graph); }
};

/// The data set that the options ask for: `data` is "synthetic" (default), "breast-cancer=FILE",
/// "human-crc=FILE" or "brca=FILE"; `scale` (default 1, synthetic only) multiplies the nodes of each graph;
/// `config` says who is whose neighbour, and whether graphs are to be labelled.
/// Throws BadInput where an option or the file is wrong or no graph has an edge, Skip where memory is short.
Dataset load_dataset(const harness::Options& options, std::uint64_t seed);

/// The edges of one graph, found anew on each call and where the positions lie: int64 [2, E], node numbers
/// within the graph, row 0 the neighbour and row 1 the node it is a neighbour of, no self loops. Sorted by
/// row 0, then row 1, so that it is the index of a coalesced COO matrix. Radius edges come in both directions
/// unless the limit of 32 cuts one off; knn edges exactly k per node.
at::Tensor neighbour_edges(const Dataset& dataset, std::int64_t graph);

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

/// What the allocator of pinned memory takes for a block of so many bytes: the next power of two.
std::size_t pinned_bytes(std::size_t bytes);

/// Throws harness::Skip with both figures where fewer than `bytes` are available for `what`.
void require_memory(std::size_t bytes, std::string_view what = "the data set needs");

}  // namespace workloads::stgym
