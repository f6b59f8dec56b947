// A small training in Python, in Lightning's loop or in a plain one, that is asked for an epoch.
#pragma once

#include "harness/support/run_program.hpp"

#include <memory>

namespace harness::inline libtorch {

/// What the training is, and what Lightning does beside it.
struct PythonPlan {
  int batches = 50;            // of an epoch, 32 samples each
  int validation_batches = 0;  // behind them
  int width = 64;              // of three layers
  int callbacks = 0;           // empty ones
  bool defaults = false;       // progress bar, logger and checkpoints, as a Trainer has them by itself
  std::string profiler = {};   // "simple", "pytorch" or none
  int threads = 1;
  std::uint64_t seed = 1;
};

/// One Python process for both loops: the plain one runs inside Lightning's first hook of an epoch.
class PythonTraining {
 public:
  /// Starts `python3` of PATH, which takes seconds. Throws Skip, naming it, where Python, torch or Lightning
  /// is missing.
  explicit PythonTraining(const PythonPlan& plan);

  /// Back to the first parameters.
  void restart();
  /// Training and validation, and all that Lightning does until the next epoch would begin. Throw
  /// std::runtime_error where the training has failed.
  void epoch_in_lightning();
  void plain_epoch();
  /// Of the last epoch, those on validation batches behind the others.
  std::vector<float> losses();

 private:
  std::vector<float> ask(std::string_view word);
  Conversation python_;
};

/// The text of python/lightning_loop.py.
std::string_view lightning_loop();

}  // namespace harness::inline libtorch
