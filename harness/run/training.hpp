// `tuneproof train WORKLOAD`: one training with settings, what it asks of the worker, as JSON, and what it
// took. A program like any of the user's own, so that `versus` and `tune` need to know nothing of it.
#pragma once

#include "harness/catalogue/program.hpp"
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

/// Declares the subcommand.
void add_train(CLI::App& app, const catalogue::Program& program, catalogue::Action& chosen);

}  // namespace harness::run
