// One pass over graphs without gradients, and how good the predictions are.
#pragma once

#include "workloads/stgym/data/dataset.hpp"
#include "workloads/stgym/model.hpp"

#include <cstdint>
#include <vector>

namespace workloads::stgym {

/// All on the host.
struct Scores {
  at::Tensor scores;  // [n, classes], or [n] logits where graphs are classified
  at::Tensor labels;  // [n] int64
  double loss = 0;    // mean over the batches
  double accuracy = 0;
  double micro_f1 = 0;
};

/// Which graphs, in which batches.
struct Pass {
  const Dataset& dataset;
  const std::vector<std::vector<std::int64_t>>& batches;
  int workers = 0;  // loader threads
};

/// Predicts every batch and compares with its labels.
Scores evaluate(Model& model, const Pass& pass, const Switches& switches);

}  // namespace workloads::stgym
