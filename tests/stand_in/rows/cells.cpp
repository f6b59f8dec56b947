#include "cells.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace rows {
namespace {

constexpr int graphs = 34;
constexpr int features = 200;

std::string header() {
  std::string line = "donor_id,sample_uuid,UMAP_1,UMAP_2,cell_type";
  for (int f = 0; f < features; ++f) line += fmt::format(",gene{}", f);
  return line + '\n';
}

/// Nodes stand in pairs, near enough for an edge; graphs differ in their extents, which the radius is a part
/// of.
std::string cell(int graph, int node) {
  const double pair = static_cast<double>(node / 2) * (1 + graph);
  const double aside = node % 2 == 0 ? 0 : 1e-3;
  auto line = fmt::format("d{},s,{},{},type{}", graph, pair, aside, (graph + node) % 7);
  for (int f = 0; f < features; ++f) {
    const int mixed = (graph * 31 + node * 17 + f * f * 7) % 101;
    line += mixed < 10 ? fmt::format(",{}", 0.1 * (1 + mixed)) : std::string(",0");
  }
  return line + '\n';
}

}  // namespace

CellsFile::CellsFile() {
  auto name = (std::filesystem::temp_directory_path() / "stand-in-cells-XXXXXX").string();
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) throw std::runtime_error("cannot make the file " + name);
  close(descriptor);
  path_ = name;
  std::ofstream out(path_);
  out << header();
  for (int graph = 0; graph < graphs; ++graph)
    for (int node = 0; node < 8 + graph % 7; ++node) out << cell(graph, node);
  if (!out.flush()) throw std::runtime_error("cannot write the file " + name);
}

CellsFile::~CellsFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace rows
