// The time of a training's step, taken inside its Python by the recorder of `watch`, without the profiler.
#pragma once

#include "harness/support/scratch_folder.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace harness::programs {

/// A private folder with the recorder and what it notes; it goes with its owner.
class StepTimes {
 public:
  /// `most`: steps after which the training is ended; 0: it goes on to its own end. Throws BadInput where the
  /// temporary folder cannot be written.
  explicit StepTimes(std::int64_t most);

  /// "PYTHONPATH=...", by which the command's Python finds the recorder.
  std::string environment() const;
  /// Forgets what the last run has noted.
  void clear() const;
  /// Steps behind which step times had settled, and the time that they took together.
  struct Seen {
    std::int64_t steps = 0;
    double seconds = 0;
    double step() const { return seconds / static_cast<double>(steps); }
  };
  /// In the last run, or so far in the present one; of several processes the slowest of those that made most
  /// steps. Nothing where none was seen.
  std::optional<Seen> seen() const;

 private:
  ScratchFolder folder_;
};

}  // namespace harness::programs
