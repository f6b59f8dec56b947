// The pooling layer without its sparse matrix: what stgym/segment_pooling switches to.
#pragma once

#include "workloads/stgym/pooling.hpp"

namespace workloads::stgym {

/// One forward pass of the layer: the same outputs as with C written down, up to the order of sums. Throws
/// c10::Error where the sizes do not add up to the nodes.
Pooled pool_by_segment(const PoolingInput& input);

}  // namespace workloads::stgym
