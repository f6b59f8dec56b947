// What `tuneproof train` asks of the worker that trains, as JSON.
#pragma once

#include "harness/core/setup.hpp"

namespace harness::run {

struct TrainingOrder {
  std::string workload;
  Options settings;  // what it does otherwise: "workers" is "2"
  Options options;   // of the workload
  Device device = {};
  int threads = 1;
  std::uint64_t data_seed = 1;
  std::string loader = {};  // Setup::loader
};

std::string order_to_json(const TrainingOrder& order);
/// Throws BadInput where the text is malformed.
TrainingOrder order_from_json(std::string_view text);

}  // namespace harness::run
