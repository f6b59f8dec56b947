// The modes of a worker. It knows no step and no workload: the tables come from the program that has them.
// With `--train` it trains a workload once, and prints how fast it was.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/core/step.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/run/training.hpp"
#include "harness/worker/surroundings.hpp"

namespace harness::worker {

/// `--measure`: reads a Task from standard input, writes events to descriptor 3. Returns the exit code.
int measure_mode(Steps steps, const Ground& ground);

/// `--probe [cuda:N]`: one line of JSON about the devices and LibTorch on standard output.
int probe_mode(const Device& device, const BuildInfo& build, const Ground& ground);

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
