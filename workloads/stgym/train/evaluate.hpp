// One pass over graphs without gradients, and how good the predictions are.
#pragma once

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/train/learner.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace workloads::stgym {

struct Metric {
  std::string_view name;
  std::string_view unit;
  double value = 0;  // NaN where the labels do not define it, as ROC-AUC of one class alone
};

/// All on the host.
struct Scores {
  at::Tensor scores;                // [n, classes or clusters], or [n] logits where graphs have two classes
  at::Tensor labels;                // [n] int64
  std::vector<std::int64_t> sizes;  // nodes of each graph, in order
  double loss = 0;                  // mean over the batches
  /// Nodes: accuracy, micro-F1. Graphs: these and ROC-AUC. Clusters: NMI and ARI, per graph, averaged.
  std::vector<Metric> metrics;

  /// The value of a metric; throws std::out_of_range where there is none of the name.
  double operator[](std::string_view metric) const;
};

/// Gives one batch after the other, then nothing.
using NextBatch = std::function<std::optional<Batch>()>;

/// Predicts every batch that there still is and compares with its labels.
Scores evaluate(Learner& learner, const NextBatch& next, const Switches& switches, space::TaskType task);

}  // namespace workloads::stgym
