// One row in one process: what a worker does over and over.
#pragma once

#include "harness/machine/clock_events.hpp"
#include "harness/record/row.hpp"
#include "harness/torch/session.hpp"
#include "harness/worker/find_row.hpp"
#include "harness/worker/job.hpp"

#include <chrono>
#include <optional>

namespace harness {

/// What a worker keeps from row to row.
struct Bench {
  explicit Bench(const Job& job);
  TorchSession torch;
  Setup setup;
  std::chrono::steady_clock::time_point begin;
  std::optional<ClockEvents> clocks;  // of the device of the first CUDA row; a job has one device

  /// From the first time on that it is asked for.
  const ClockEvents& clocks_of(const Device& device);
};

/// Called while a row is profiled: how many of its passes through the schedule are done.
using Walked = std::function<void(int done, int of)>;

/// Rehearses the row, takes the job's round of it as it was `asked` for, or profiles it where the job wants
/// that. An exception of the step costs this row only: it comes back as skipped or failed with
/// its reason. Throws BadInput where the user's input is wrong.
Row measure_row(const FoundRow& found, Bench& bench, const Job& job, const JobRow& asked,
                const Walked& walked);

}  // namespace harness
