// STGym's options --data and --scale, and what a configuration's task needs to know of the data sets, read
// before any data are. No LibTorch.
#pragma once

#include "harness/core/setup.hpp"

#include <span>

namespace workloads::stgym::space {

/// What `--data NAME=FILE` says; no file for "synthetic".
struct DataOption {
  std::string name = "synthetic";
  std::string file = {};
};

/// Throws BadInput unless it is one of known_data(), with a file where it needs one.
DataOption data_option(const harness::Options& options);

/// The factor of --scale, 1 without it. Throws BadInput unless it is above 0 and up to 16, and where the data
/// are a file's.
double scale_option(const harness::Options& options);

/// `classes` are those of what it labels.
struct KnownData {
  std::string_view name;
  bool labels_nodes = false;
  bool labels_graphs = false;
  std::int64_t classes = 0;
};

/// "synthetic", and every layout that --data NAME=FILE knows.
std::span<const KnownData> known_data();

}  // namespace workloads::stgym::space
