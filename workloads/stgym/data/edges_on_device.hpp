// The edges of a graph whose positions lie on a device, found there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace workloads::stgym {

/// What neighbour_edges (dataset.hpp) gives, on the device of `xy` [n, 2]: of each node's `limit` nearest
/// others at most `radius` away an edge to it. Waits for the device: how many edges there are only it knows.
at::Tensor edges_on_device(const at::Tensor& xy, std::int64_t limit, double radius);

}  // namespace workloads::stgym
