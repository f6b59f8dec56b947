// What a step on a sampled batch must at least compute and move.
#pragma once

#include "workloads/sage/sage_model.hpp"
#include "workloads/sage/sage_trainer.hpp"
#include "workloads/training/floor.hpp"

namespace workloads::sage {

/// Products forward and backward on trimmed layers; features gathered once, and over the link where there is
/// one; parameters, gradients and Adam's moments once.
training::Work step_work(const Job& job, const Subgraph& graph);

}  // namespace workloads::sage
