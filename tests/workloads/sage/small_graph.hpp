// A drawn graph and a training on it that take milliseconds.
#pragma once

#include "workloads/sage/csr_graph.hpp"
#include "workloads/sage/sage_trainer.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

namespace small_graph {

/// 2,392 nodes, of which a batch's sample has a part.
inline workloads::sage::Job job(at::ScalarType type = at::kFloat) {
  static const auto graph =
      std::make_shared<const workloads::sage::Graph>(workloads::sage::power_law_graph(1. / 1024, 3));
  return {.graph = graph, .fan_outs = {5, 3, 2}, .hidden = 16, .batch_size = 16, .seed = 7, .type = type};
}

}  // namespace small_graph
