// The nearest nodes of every node in a plane, found by a k-d tree; and the edges of a graph whose positions
// lie on a device, found there.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace workloads::stgym {

/// Of node i the neighbours index[start[i]] .. index[start[i + 1] - 1], nearest first.
struct Neighbours {
  std::vector<std::size_t> start;
  std::vector<std::int64_t> index;
};

/// The `limit` nearest other nodes of each node, at most `radius` away (boundary included). `xy` holds x and
/// y in turn; distances are compared in double, equal ones by node number, so the answer is unique.
/// torch_cluster, which STGym uses, keeps the first nodes its search meets where more than the limit lie
/// within the radius; here it is the nearest, since "first" depends on the tree.
Neighbours find_neighbours(std::span<const float> xy, std::size_t limit,
                           double radius = std::numeric_limits<double>::infinity());

/// What neighbour_edges (dataset.hpp) gives, on the device of `xy` [n, 2]: of each node's `limit` nearest
/// others at most `radius` away an edge to it. Waits for the device: how many edges there are only it knows.
at::Tensor edges_on_device(const at::Tensor& xy, std::int64_t limit, double radius);

}  // namespace workloads::stgym
