// One training in a worker process of its own, and whatever becomes of that process.
#pragma once

#include "harness/support/child.hpp"
#include "harness/support/signals.hpp"
#include "harness/tune/search.hpp"

#include <functional>
#include <string>

namespace harness::tune {

/// How workers are started, and how long each may take.
struct TrainSetup {
  Command worker;
  run::TrainingOrder order;  // without settings
  Seconds timeout{300};
  std::string timeout_text = "5m";
  std::function<void(const std::string& line)> said;  // what a worker printed
};

/// Trains once. A worker that dies, hangs or talks nonsense makes a failed trial. Throws BadInput where a
/// worker found the user's input wrong.
Ended train_once(const TrainSetup& setup, const Asked& asked,
                 const std::function<bool(const run::PartTrained&)>& give_up, SignalWatch& signals);

}  // namespace harness::tune
