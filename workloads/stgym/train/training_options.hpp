// The workload's options: what the command line lists, and what training reads.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/setup.hpp"

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// --data, --scale, --epochs, --batch-size, --config, as `--help` shows them.
std::vector<harness::catalogue::Option> options();

struct TrainingOptions {
  std::int64_t epochs = 2;
  std::int64_t batch_size = 16;
};

/// What --config says where they are not given. Throws BadInput unless --epochs and --batch-size are whole
/// numbers above 0.
TrainingOptions training_options(const harness::Options& options);

/// The options of the data set. Without --scale, synthetic data have full size on a GPU and 1/256 of the
/// nodes on the host, where a full-size step takes seconds.
harness::Options data_options(const harness::Options& options, const harness::Device& device);

}  // namespace workloads::stgym
