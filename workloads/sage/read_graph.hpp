// A graph of the user's: the raw layout of the Open Graph Benchmark, or NumPy's arrays.
#pragma once

#include "workloads/sage/csr_graph.hpp"

#include <filesystem>

namespace workloads::sage {

/// Of a folder edge, node-feat and node-label, each .npy, .csv.gz or .csv. Edges are a table of two columns,
/// or an array of two rows. The nodes listed in `train` are learned from, or the first nine tenths, rounded
/// down; those in `valid` are the first to validate on. Nodes of lists get the first numbers. Throws
/// BadInput, one sentence that names file and place.
Graph read_graph(const std::filesystem::path& folder);

}  // namespace workloads::sage
