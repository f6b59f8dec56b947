// The search for neighbours on a device, as the published code does it there: plain pointers, no LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::stgym {

/// Of each of `nodes` nodes in a plane the `limit` nearest others at most `radius` away, boundary included.
struct DeviceSearch {
  std::int64_t nodes = 0;
  std::int64_t limit = 0;
  double radius = 0;
  const float* xy = nullptr;  // [nodes, 2]
  double* squared = nullptr;  // for the kernel's own use: [nodes, limit]
  /// Out: [nodes, limit], nearest first, equally distant ones by node number; where there are fewer, the rest
  /// stays as it was.
  std::int64_t* found = nullptr;
};

/// Queues the search. Every pair is looked at, as torch_cluster does on a device.
void launch_neighbour_search(const DeviceSearch& search, cudaStream_t stream);

}  // namespace workloads::stgym
