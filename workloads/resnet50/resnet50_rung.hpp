// What the rungs of this ladder have in common.
#pragma once

#include "workloads/training/trial.hpp"

namespace workloads::resnet50 {

/// Twice what BF16 changes over seven seeds; a layer that does not learn changes more.
constexpr harness::Tolerance half_precision{.relative = 1.5e-2, .why = "BF16 keeps 8 bits of each factor"};

/// The data, the model and how it is trained, on the session's device. Throws BadInput for bad data.
training::Job job(harness::Setup& setup);
/// At the size of a CPU, with as many samples, drawn or read of `--cifar10`.
training::Job job(harness::Setup& setup, training::Split split);

}  // namespace workloads::resnet50
