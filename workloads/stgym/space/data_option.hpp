// STGym's options --data and --scale, read before any data are. No LibTorch.
#pragma once

#include "harness/core/setup.hpp"

#include <string>

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

}  // namespace workloads::stgym::space
