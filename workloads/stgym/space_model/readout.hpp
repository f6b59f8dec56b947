// From nodes, or clusters, to their graph.
#pragma once

#include "workloads/stgym/space/configuration.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace workloads::stgym::space {

/// Rows of `x` [N, F] belong to graphs: `graph_of` [N] int64, ascending; `sizes` [B] on the host, each above
/// 0. Returns [B, F]. Where several rows share a maximum, its gradient is shared out.
at::Tensor read_out(Readout readout, const at::Tensor& x, const at::Tensor& graph_of,
                    const std::vector<std::int64_t>& sizes);

}  // namespace workloads::stgym::space
