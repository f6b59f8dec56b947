// A CSV file of cells as a data set.
#pragma once

#include "workloads/stgym/data/cell_file.hpp"

#include <string>

namespace workloads::stgym {

/// Reads the file twice: once to learn which rows form which graph, once to put each row into its place; so
/// the features are held once and beside them only a few bytes per row. Graphs stand in the order in which
/// the file first names them, the nodes of a graph in the order of its rows. `radius` is left 0. Throws
/// BadInput with one sentence naming file, line and column; Skip where memory is short.
Dataset read_cells(const std::string& path, const Layout& layout);

}  // namespace workloads::stgym
