// Kernels of GraphSAGE's forms on a device: they choose neighbours, and gather rows. No LibTorch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workloads::sage {

/// The neighbours that some nodes get, as choose_neighbours says.
struct NeighbourChoice {
  const std::int64_t* offsets = nullptr;     // of the graph
  const std::int32_t* neighbours = nullptr;  // of the graph
  const std::int64_t* nodes = nullptr;       // [count]
  const std::int64_t* ends = nullptr;        // [count]: where each node's edges end
  std::int64_t count = 0;
  std::int64_t fan_out = 0;
  std::uint64_t seed = 0;
  std::int64_t* chosen = nullptr;  // out: [ends[count - 1]]
};

void launch_choice(const NeighbourChoice& args, cudaStream_t stream);

/// Rows of a table in the host's pinned memory, some of which the device has too.
struct RowGather {
  const float* table = nullptr;          // [nodes, width], pinned
  const float* hot = nullptr;            // [hot nodes, width], on the device
  const std::int32_t* places = nullptr;  // [nodes]: a node's row in `hot`, -1: it has none; null: no node has
  const std::int64_t* nodes = nullptr;   // [count]
  std::int64_t count = 0;
  std::int64_t width = 0;
  float* rows = nullptr;  // out: [count, width]
};

void launch_gather(const RowGather& args, cudaStream_t stream);

}  // namespace workloads::sage
