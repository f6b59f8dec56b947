// `--train`: a worker trains a workload once, and prints how fast it was. It knows no workload: the table
// comes from the program that has them.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/run/training.hpp"
#include "harness/worker/surroundings.hpp"

namespace harness::worker {

/// A training is timed in so many equal parts; the first is warming up.
constexpr int training_parts = 8;

struct Trained {
  double seconds_per_sample = 0;  // median over the parts behind the first
  double peak_bytes = 0;          // by which the process grew; on a device, what LibTorch reserved there
  double loss = 0;                // on validation samples, behind all of them
  std::int64_t batch = 1;         // samples of a step
  std::int64_t epoch = 1;         // samples of an epoch
};

/// Hears that a part is over: its number from 1, and what a sample has taken.
using TellPart = std::function<void(int part, double seconds_per_sample)>;

/// A workload that can be trained with settings.
struct Trainable {
  std::string_view workload;
  /// Throws Skip where it cannot be done here, BadInput where the user's input is wrong, and what the
  /// training throws.
  Trained (*train)(Setup& setup, const run::TrainingOrder& order, const TellPart& tell) = nullptr;
};

/// Carries out the order, a line of JSON. Returns the exit code.
int train_mode(std::string_view order, std::span<const Trainable> workloads, const Ground& ground);

}  // namespace harness::worker
