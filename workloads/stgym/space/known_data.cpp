#include "workloads/stgym/space/known_data.hpp"

namespace workloads::stgym::space {

// The labels of synthetic graphs are made from those of their nodes: data/graph_labels.hpp.
constexpr KnownData all_known[] = {
    {.name = "synthetic", .labels_nodes = true, .labels_graphs = true, .classes = 39},
    {.name = "breast-cancer", .labels_nodes = true, .classes = 39},
    {.name = "human-crc", .labels_nodes = true, .classes = 10},
    {.name = "brca", .labels_graphs = true, .classes = 2},
};

std::span<const KnownData> known_data() { return all_known; }

}  // namespace workloads::stgym::space
