// Clipping: gradients are scaled down together where they are too large together.
#pragma once

#include "workloads/training/state.hpp"

namespace workloads::training {

/// Scales all gradients down where the norm of all of them is above `most`: parameter by parameter, or with
/// one operator for all. Returns nothing, so that nobody waits for the norm.
void clip_gradients(const NamedTensors& parameters, double most, bool together);

}  // namespace workloads::training
