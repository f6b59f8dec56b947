// One row, from its step to its verdict or its trace: what a worker does over and over.
#pragma once

#include "harness/record/row.hpp"
#include "harness/torch/session.hpp"
#include "harness/worker/find_row.hpp"
#include "harness/worker/job.hpp"

#include <functional>

namespace harness {

/// What a worker keeps from row to row.
struct Bench {
  explicit Bench(const Job& job);
  TorchSession torch;
  Setup setup;
};

/// Called while the row is measured; see Plan.
struct RowHooks {
  std::function<void(int done, int of)> progress;
  std::function<bool()> out_of_time;
};

/// Measures and judges, or profiles where the job asks for that. An exception of the step costs this row
/// only: it comes back as skipped or failed with its reason. Throws BadInput where the user's input is wrong.
Row measure_row(const FoundRow& found, Bench& bench, const Job& job, const RowHooks& hooks);

}  // namespace harness
