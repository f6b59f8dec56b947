// Which results files are of nodes that may be compared, and what the nodes are called.
#pragma once

#include "harness/compare/merge.hpp"

namespace harness::compare {

/// A file that may hold results: one that was named must hold them, one of a folder may hold something else.
struct FleetFile {
  std::filesystem::path path;
  bool named = false;
};

/// The files named, and those of folders whose names end in .json or .json.gz, in the order of their names;
/// folders in a folder are not read. Throws BadInput for a folder without any.
std::vector<FleetFile> fleet_files(std::span<const std::string> paths);

/// The files of the most frequent class of machine, program and settings; fills the fleet's machine, commit,
/// nodes, warnings and what was left out. Throws BadInput where two files hold the same session.
std::vector<const results::Results*> alike(std::span<const results::Results> runs, Fleet& fleet);

}  // namespace harness::compare
