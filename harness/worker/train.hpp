// `--train`: a worker trains a workload once with some settings, and says how fast it was. It knows no
// workload: the table comes from the program that has them.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/run/training.hpp"
#include "harness/worker/surroundings.hpp"

#include <functional>
#include <span>
#include <string_view>

namespace harness::worker {

/// How a training tells that a part of it is over.
using TellPart = std::function<void(const run::PartTrained&)>;

/// A workload that can be trained with settings.
struct Trainable {
  std::string_view workload;
  /// Throws Skip where it cannot be done here, BadInput where the user's input is wrong, and what the
  /// training throws.
  run::Trained (*train)(Setup& setup, const run::TrainingOrder& order, const TellPart& tell) = nullptr;
};

/// Reads an order from standard input, writes events to descriptor 3. Returns the exit code.
int train_mode(std::span<const Trainable> workloads, const Ground& ground);

}  // namespace harness::worker
