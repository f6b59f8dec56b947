// One pass over graphs without gradients, and how good the predictions are.
#pragma once

#include "workloads/stgym/loading.hpp"
#include "workloads/stgym/model.hpp"

#include <ATen/core/Tensor.h>

namespace workloads::stgym {

/// All on the host.
struct Scores {
  at::Tensor scores;  // [n, classes], or [n] logits where graphs are classified
  at::Tensor labels;  // [n] int64
  double loss = 0;    // mean over the batches
  double accuracy = 0;
  double micro_f1 = 0;
};

/// Predicts every batch that the loader still has and compares with its labels.
Scores evaluate(Model& model, BatchLoader& loader, const Switches& switches);

}  // namespace workloads::stgym
